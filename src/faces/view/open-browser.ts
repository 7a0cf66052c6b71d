/** Opens a URL in the user's browser. The program's path is fixed; PATH is not searched. */
import { spawn } from 'node:child_process';

export function openBrowser(address: string): void {
  const command = openingCommand();
  if (command === null) return;
  const [program, ...words] = command;
  const browser = spawn(program, [...words, address], { stdio: 'ignore', detached: true, cwd: '/' });
  // The URL was printed, so the user can open it by hand if there is no such program.
  browser.on('error', () => {});
  browser.unref();
}

/** Returns null if there is no display, because xdg-open would then start a text browser. */
function openingCommand(): [string, ...string[]] | null {
  const { DISPLAY, WAYLAND_DISPLAY, SystemRoot = 'C:\\Windows' } = process.env;
  if (process.platform === 'darwin') return ['/usr/bin/open'];
  if (process.platform === 'win32') return [`${SystemRoot}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['/usr/bin/xdg-open'] : null;
}
