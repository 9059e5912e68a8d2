// Links fairlead::verify alone.
#include "town.h"

int main() {
    Walk walk;
    return walk.arrives() && !fairlead::verify(*walk.route, *walk.town, walk.query.agent) ? 0 : 1;
}
