// The core's tests, for one mutant after the other, each in a process of its own. Two commands, whose
// answers are lines on the standard output:
//   measure <jobs> <seconds>   runs every test without a mutant, so long: its index, seconds, file, the
//   mutants
//                              whose places it passes, name; nothing of tests that take longer.
//   try <jobs> <seconds>       reads lines of a mutant, seconds that it may take, and tests in the order in
//                              which to try them: the mutant, and the tests up to the one that noticed it, or
//                              -1 after all of them.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/core/tables.h"
#include "tests/mutants/mutant.h"

namespace {

std::string name, file;

struct Names : doctest::IReporter {
  explicit Names(const doctest::ContextOptions&) {}
  void test_case_start(const doctest::TestCaseData& data) override {
    name = data.m_name;
    file = data.m_file.c_str();
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("names", 1, Names);

// Whether the test of that index passes; an index beyond the last leaves `name` empty.
bool passes(int index) {
  doctest::Context context;
  name.clear();
  if (!std::getenv("MUTANTS_WITH_AUDITS")) context.setOption("source-file-exclude", "*/audit/*");
  context.setOption("order-by", "file");
  context.setOption("first", index);
  context.setOption("last", index);
  context.setOption("abort-after", 1);
  context.setOption("no-intro", true);
  return context.run() == 0;
}

double seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec) + static_cast<double>(used.ru_utime.tv_usec) * 1e-6;
}

void limit(int what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

struct Child {
  pid_t id;
  int from;
};

// Runs the work in a process of its own; what it writes to the descriptor is heard.
Child start(const std::function<void(int)>& work) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t id = fork();
  if (id == 0) {
    close(ends[0]);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    work(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  return {id, ends[0]};
}

std::string heard(const Child& child) {
  std::string text;
  char some[4096];
  for (ssize_t size; (size = read(child.from, some, sizeof some)) > 0;) text.append(some, size);
  close(child.from);
  int status = 0;
  waitpid(child.id, &status, 0);
  return text;
}

void say(int to, const std::string& text) {
  if (write(to, text.data(), text.size()) < 0) _exit(1);
}

// At most `jobs` at a time, told in the order in which they began.
class Crew {
 public:
  explicit Crew(std::size_t jobs) : jobs_(jobs) {}
  ~Crew() {
    while (!busy_.empty()) finish();
  }
  void run(const std::function<void(int)>& work) {
    if (busy_.size() == jobs_) finish();
    busy_.push_back(start(work));
  }

 private:
  void finish() {
    // A process that was ended has not ended its line.
    const std::string text = heard(busy_.front());
    std::cout << text << (text.empty() || text.back() == '\n' ? "" : "\n") << std::flush;
    busy_.erase(busy_.begin());
  }
  std::size_t jobs_;
  std::vector<Child> busy_;
};

void measure(std::size_t jobs, double most) {
  Crew crew(jobs);
  for (int index = 1; index <= 1000; ++index)
    crew.run([index, most](int to) {
      if (most < 1e6) limit(RLIMIT_CPU, static_cast<rlim_t>(most) + 2);
      const double before = seconds();
      const bool passed = passes(index);
      if (name.empty()) return;
      std::ostringstream line;
      line << index << '\t' << (passed ? seconds() - before : -1) << '\t' << file << '\t';
      for (int i = 0; i < 4096; ++i)
        if (mutants::reached[i]) line << i << ' ';
      line << '\t' << name << '\n';
      say(to, line.str());
    });
}

void attempt(std::size_t jobs) {
  Crew crew(jobs);
  for (std::string line; std::getline(std::cin, line);)
    crew.run([line](int to) {
      std::istringstream words(line);
      int index = 0;
      double most = 0;
      words >> mutants::active >> most;
      limit(RLIMIT_CPU, static_cast<rlim_t>(most) + 1);
      limit(RLIMIT_AS, rlim_t{6} << 30);
      // A test that never comes back, or brings the process down, has noticed it: the last one that is said.
      say(to, std::to_string(mutants::active) + "\t");
      while (words >> index) {
        say(to, std::to_string(index) + " ");
        if (!passes(index)) return say(to, "\n");
      }
      say(to, "-1\n");
    });
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  epsilometer::tables();
  const auto jobs = static_cast<std::size_t>(std::atoi(words[2]));
  if (std::string(words[1]) == "measure") measure(jobs, std::atof(words[3]));
  if (std::string(words[1]) == "try") attempt(jobs);
  return 0;
}
