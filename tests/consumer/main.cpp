// What a stranger writes on the first day.
#include <cstdio>

#include <fairlead/fairlead.h>

int main() {
    fairlead::Array<int> numbers;
    if (!numbers.push_back(42)) return 1;
    std::printf("%s; %d\n", fairlead::error_text(fairlead::ErrorCode::size_zero), numbers[0]);
    return numbers[0] == 42 ? 0 : 1;
}
