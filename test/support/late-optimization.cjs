/**
 * V8 optimizes what has run for a while. Much of a spec or of a process of a spec has ended by then, so a tenth of the
 * suite's time would be spent on code that is not run again. Here V8 waits six times as long.
 */
require('node:v8').setFlagsFromString('--interrupt-budget=400000');
