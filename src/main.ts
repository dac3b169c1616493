import { setFlagsFromString } from 'node:v8';

// What a start allocates mostly stays, which V8 takes for a reason to enlarge its young generation for good: some
// 30 MB that a service at rest would hold for nothing. So it may grow only when the start, with all its modules, is over.
setFlagsFromString('--semi-space-growth-factor=1');
const { start } = await import('./start.js');
await start();
setFlagsFromString('--semi-space-growth-factor=2');
