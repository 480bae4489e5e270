;;; emacs.el --- What a user of Emacs does  -*- lexical-binding: t -*-

;; Opens a source, sees the finding, points at the conditional, applies the repair and sees the finding gone.
;; Environment: CONDLINT, PLUGIN (its folder), SOURCE (the file), LINE, COLUMN.

(defun test-await (what condition)
  (let ((end (+ (float-time) 30)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (message "FAILED: %s" what)
        (kill-emacs 1))
      (accept-process-output nil 0.1))
    (message "seen: %s" what)))

(add-to-list 'load-path (getenv "PLUGIN"))
(require 'condlint)
(require 'flymake)
(setq condlint-command (list (getenv "CONDLINT") "lsp")
      eglot-sync-connect t
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil)

(defun test-found ()
  (seq-filter (lambda (d) (string-match-p "output-alias" (flymake-diagnostic-text d)))
              (flymake-diagnostics)))

(find-file (getenv "SOURCE"))
(c++-mode)
(eglot-ensure)
(run-hooks 'post-command-hook)
(test-await "the server" (lambda () (eglot-current-server)))
(test-await "the finding" (lambda () (test-found)))
(goto-char (point-min))
(forward-line (1- (string-to-number (getenv "LINE"))))
(forward-char (string-to-number (getenv "COLUMN")))
(let* ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
       (text (plist-get (plist-get hover :contents) :value)))
  (test-await "the contract" (lambda () (and text (string-match-p "float32\\[N, 8\\]" text)))))
(let* ((d (car (test-found)))
       (actions (jsonrpc-request (eglot-current-server) :textDocument/codeAction
                                 (list :textDocument (eglot--TextDocumentIdentifier)
                                       :range (list :start (eglot--pos-to-lsp-position (flymake-diagnostic-beg d))
                                                    :end (eglot--pos-to-lsp-position (flymake-diagnostic-end d)))
                                       :context (list :diagnostics [])))))
  (seq-do (lambda (action)
            (when (eq (plist-get action :isPreferred) t)
              (eglot--apply-workspace-edit (plist-get action :edit))))
          actions))
;; An idle timer would send it, and nobody is idle here.
(eglot--signal-textDocument/didChange)
(test-await "the finding gone" (lambda () (null (test-found))))
(kill-emacs 0)
