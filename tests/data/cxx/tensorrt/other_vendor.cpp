// condlint-test: target=tensorrt@11.1
// Another vendor's headers: the same names, another namespace with an inline one, other numbers.
#include <cstdint>
namespace acme { namespace infer { inline namespace v2 {
enum class DataType : int { kBOOL = 11, kINT32 = 12, kFLOAT = 13, kHALF = 14 };
enum class UnaryOperation : int { kABS = 100, kNOT = 101 };
struct Dims { int32_t nbDims; int64_t d[8]; };
class ITensor { public: virtual Dims getDimensions() const = 0; };
class ILayer { public: virtual ITensor *getOutput(int32_t) const = 0; virtual void setInput(int32_t, ITensor &) = 0; };
class IUnaryLayer : public ILayer {};
class IConditionLayer : public ILayer {};
class IIfConditionalInputLayer : public ILayer {};
class IIfConditionalOutputLayer : public ILayer {};
class IIfConditional { public:
  virtual IConditionLayer *setCondition(ITensor &) = 0;
  virtual IIfConditionalInputLayer *addInput(ITensor &) = 0;
  virtual IIfConditionalOutputLayer *addOutput(ITensor &, ITensor &) = 0; };
class INetworkDefinition { public:
  virtual ITensor *addInput(char const *, DataType, Dims) = 0;
  virtual IUnaryLayer *addUnary(ITensor &, UnaryOperation) = 0;
  virtual IIfConditional *addIfConditional() = 0;
  virtual bool markOutput(ITensor &) = 0; };
} } }

using namespace acme::infer;

void build(INetworkDefinition *n) {
  ITensor *p = n->addInput("p", DataType::kBOOL, Dims{0, {}});
  ITensor *x = n->addInput("x", DataType::kFLOAT, Dims{2, {3, 4}});
  ITensor *y = n->addInput("y", DataType::kHALF, Dims{2, {3, 4}});
  IIfConditional *c = n->addIfConditional();
  c->setCondition(*p);
  ITensor *t = n->addUnary(*x, UnaryOperation::kABS)->getOutput(0); // expect: warning branch-eager
  ITensor *f = n->addUnary(*c->addInput(*y)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  n->markOutput(*c->addOutput(*t, *f)->getOutput(0)); // expect: error output-dtype
}
