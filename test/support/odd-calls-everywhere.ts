/** All tests use the system's own calls from the start, wherever they do not ask for another way. */
import { useSystemCalls } from '../../src/workspace/disk/system-calls.ts';
import { oddCalls } from './odd-calls.ts';

useSystemCalls(oddCalls);
