//===- Workshop.cpp - Processes that analyse ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Workshop.h"
#include "Analysis.h"
#include "CxxModule.h"
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace condlint::lsp {

namespace {

bool sendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive(int socket, char *into, std::size_t size) {
  while (size != 0) {
    const ssize_t got = ::recv(socket, into, size, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    into += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Texts go with their length before them.
bool sendText(int socket, const std::string &text) {
  std::uint64_t size = text.size();
  std::array<char, sizeof size> head;
  std::memcpy(head.data(), &size, sizeof size);
  return sendAll(socket, std::string_view(head.data(), head.size())) && sendAll(socket, text);
}

std::optional<std::string> receiveText(int socket) {
  std::uint64_t size = 0;
  std::array<char, sizeof size> head;
  if (!receive(socket, head.data(), head.size()))
    return std::nullopt;
  std::memcpy(&size, head.data(), sizeof size);
  std::string text(size, '\0');
  return receive(socket, text.data(), text.size()) ? std::optional(std::move(text)) : std::nullopt;
}

/// A message of one byte that carries a descriptor.
bool sendDescriptor(int door, int descriptor) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return ::sendmsg(door, &message, MSG_NOSIGNAL) == 1;
}

/// Minus one when the other side has closed the door.
int receiveDescriptor(int door) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(door, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr *header = got == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS)
    return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

/// For tests of what happens when an analysis breaks down: a file whose text holds this word brings it down.
bool isAskedToBreak(const std::string &text) {
  const char *word = std::getenv("CONDLINT_LSP_BREAK_ON"); // NOLINT(concurrency-mt-unsafe): nobody sets it meanwhile
  return word != nullptr && *word != '\0' && text.find(word) != std::string::npos;
}

/// An analysis that does not come to an end breaks down.
void allowSeconds(rlim_t ofProcessor) {
  const rlimit most{ofProcessor, ofProcessor};
  setrlimit(RLIMIT_CPU, &most);
}
constexpr rlim_t mostToParse = 900, mostToReread = 30; ///< libtorch's headers take five, and a body a tenth

/// A process that does one job, and may then wait with what it has parsed.
class Worker {
public:
  Worker(int s, const CheckArguments &a) : socket(s), arguments(a) {}

  [[noreturn]] void work() {
    const std::optional<std::string> text = receiveText(socket);
    if (!text)
      _exit(1);
    endWithSocket();
    Json result;
    try {
      const Job job = jobOf(Json::parse(*text));
      if (job.kind == Job::Kind::Check) // a model may run for hours
        allowSeconds(mostToParse);
      for (const UnsavedFile &file : job.unsaved)
        if (file.path == job.path && isAskedToBreak(file.text))
          std::abort();
      std::shared_ptr<CxxRereading> rereading;
      if (job.keeps)
        rereading = std::make_shared<CxxRereading>(CxxRereading{
            [this](const std::function<void()> &afterFirst) { return next(afterFirst); },
            [this](const std::function<void()> &afterFirst) { once(afterFirst); }, [this] { answer(Json::object()); }});
      result = perform(arguments, job, std::move(rereading));
    } catch (const std::exception &e) {
      result = {{"problem", std::string("internal error: ") + e.what()}};
    }
    if (isKept)
      result["kept"] = true;
    answer(result);
  }

private:
  using Json = nlohmann::json;

  /// When nobody waits for the result any more, the socket is shut: this process ends with it, unless it goes on
  /// without.
  void endWithSocket() {
    goesOn = false;
    std::thread([this] {
      pollfd shut{socket, POLLRDHUP, 0};
      while (poll(&shut, 1, -1) < 0) {
      }
      if (!goesOn)
        _exit(1);
    }).detach();
  }

  [[noreturn]] void answer(const Json &result) {
    goesOn = true; // whether all of it was sent decides, not that the other side went when it had all of it
    _exit(sendText(socket, result.dump(-1, ' ', false, Json::error_handler_t::replace)) ? 0 : 1);
  }

  /// Whether this is a process that is to read the text that is there. The other one comes back when that has
  /// answered, and ends with it where it did not.
  bool isFirst() {
    const pid_t first = fork();
    if (first == 0) {
      endWithSocket();
      return true;
    }
    goesOn = true; // when the socket is shut the other one ends, if it has not answered
    int status = 0;
    while (first > 0 && waitpid(first, &status, 0) < 0 && errno == EINTR) {
    }
    if (first < 0 || status != 0)
      _exit(1); // as if it had been this one
    return false;
  }

  /// For the next session too: it does not end with this one.
  [[noreturn]] void doAside(const std::function<void()> &what) const {
    close(socket);
    nice(10);
    what();
    _exit(0);
  }

  void once(const std::function<void()> &afterFirst) {
    if (!isFirst())
      doAside(afterFirst);
  }

  /// Forks for the text that is there, and then for each that comes.
  std::optional<std::string> next(const std::function<void()> &afterFirst) {
    if (isFirst()) {
      isKept = true;
      return std::nullopt;
    }
    std::signal(SIGCHLD, SIG_IGN); // nobody waits for the next ones
    if (afterFirst && fork() == 0)
      doAside(afterFirst);
    for (;;) {
      const int other = receiveDescriptor(socket);
      if (other < 0)
        _exit(0);
      if (fork() == 0) {
        close(socket);
        socket = other;
        std::signal(SIGCHLD, SIG_DFL);
        allowSeconds(mostToReread);
        std::optional<std::string> text = receiveText(socket);
        if (!text)
          _exit(1);
        endWithSocket();
        if (isAskedToBreak(*text))
          std::abort();
        return text;
      }
      close(other);
    }
  }

  int socket;
  const CheckArguments &arguments;
  bool isKept = false;              ///< another process waits for the next text
  std::atomic<bool> goesOn = false; ///< whoever shuts the socket
};

/// A process that is forked goes on with the thread that forked: there is one, with a stack for deeply nested code.
[[noreturn]] void workOnLargeStack(int socket, const CheckArguments &arguments) {
  constexpr std::size_t stackSize = 80U << 20U; // the memory is only used where it is needed
  Worker worker(socket, arguments);
  pthread_attr_t attributes;
  pthread_t thread{};
  if (pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, stackSize) == 0 &&
      pthread_create(&thread, &attributes, [](void *w) -> void * { static_cast<Worker *>(w)->work(); }, &worker) == 0)
    pthread_join(thread, nullptr);
  _exit(1);
}

/// The life of the process from which they are forked.
[[noreturn]] void forkOnDemand(int door, const CheckArguments &arguments) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_IGN);  // a terminal sends it to all; the door closes when it is meant
  std::signal(SIGCHLD, SIG_IGN); // nobody waits for them
  (void)cxxReader();             // what takes longest to load is there in each of them
  for (;;) {
    const int socket = receiveDescriptor(door);
    if (socket < 0)
      _exit(0);
    if (fork() == 0) {
      close(door);
      std::signal(SIGCHLD, SIG_DFL);
      workOnLargeStack(socket, arguments);
    }
    close(socket);
  }
}

} // namespace

Workshop::Workshop(const CheckArguments &a) : arguments(a) { fork(); }

void Workshop::fork() {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return;
  const pid_t child = ::fork();
  if (child == 0) {
    // Nor may it keep what goes to analyses that run, or wait: they end when the server lets go of them.
    constexpr int own = STDERR_FILENO + 1;
    if (ends[1] != own && dup3(ends[1], own, O_CLOEXEC) < 0)
      _exit(1);
    close_range(own + 1, ~0U, 0);
    // The client's pipes are none of its business: it must not keep them open.
    if (const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC); nothing >= 0) {
      dup2(nothing, STDIN_FILENO);
      dup2(nothing, STDOUT_FILENO);
    }
    forkOnDemand(own, arguments);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return;
  }
  door = ends[0];
  forker = child;
}

void Workshop::end() {
  if (door >= 0)
    close(door);
  door = -1;
  {
    const std::lock_guard lock(mutex);
    for (const auto &[id, socket] : running)
      shutdown(socket, SHUT_RDWR);
  }
  threads.clear();
}

Kept::~Kept() { close(door); }

std::uint64_t Workshop::start(const nlohmann::json &job, Done done) {
  const std::string text = job.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (const std::uint64_t id = startThrough(door, text, done))
    return id;
  pollfd shut{door, POLLRDHUP, 0};
  if (door >= 0 && poll(&shut, 1, 0) == 0)
    return 0; // the other side is there: something else is short
  if (door >= 0)
    close(std::exchange(door, -1));
  while (forker > 0 && waitpid(forker, nullptr, 0) < 0 && errno == EINTR) {
  }
  fork();
  renewed = door >= 0;
  return startThrough(door, text, std::move(done));
}

std::uint64_t Workshop::startAgain(const Kept &kept, const std::string &text, Done done) {
  return startThrough(kept.door, text, std::move(done));
}

std::uint64_t Workshop::startThrough(int opening, std::string text, Done done) {
  std::array<int, 2> ends{-1, -1};
  if (opening < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return 0;
  const bool sent = sendDescriptor(opening, ends[1]);
  close(ends[1]);
  if (!sent) {
    close(ends[0]);
    return 0;
  }
  const std::lock_guard lock(mutex);
  for (const std::uint64_t id : std::exchange(finished, {}))
    threads.erase(id);
  const std::uint64_t id = ++last;
  running[id] = ends[0];
  threads.emplace(id, [this, id, socket = ends[0], body = std::move(text), done = std::move(done)] {
    await(id, socket, body, done);
  });
  return id;
}

void Workshop::await(std::uint64_t id, int socket, const std::string &job, const Done &done) {
  nlohmann::json result;
  if (sendText(socket, job))
    if (const std::optional<std::string> text = receiveText(socket))
      result = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  {
    const std::lock_guard lock(mutex);
    running.erase(id);
    finished.push_back(id);
  }
  std::shared_ptr<Kept> kept;
  if (result.is_object() && result.contains("kept"))
    kept = std::make_shared<Kept>(socket);
  else
    close(socket);
  done(id, result.is_object() ? std::move(result) : nlohmann::json(), std::move(kept));
}

void Workshop::cancel(std::uint64_t id) {
  const std::lock_guard lock(mutex);
  if (const auto at = running.find(id); at != running.end())
    shutdown(at->second, SHUT_RDWR);
}

} // namespace condlint::lsp
