/** Files that share a process share its system calls, too: they are changed before the first file uses them. */
import './way.ts';
import './odd-calls.ts';
