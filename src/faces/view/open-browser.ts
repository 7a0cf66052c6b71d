/** Opens an address in the user's browser. The program has a fixed place: none is looked for along PATH. */
import { spawn } from 'node:child_process';

export function openBrowser(address: string, environment: NodeJS.ProcessEnv = process.env): void {
  const command = commandFor(process.platform, environment);
  if (command === null) return;
  const [program, ...words] = command;
  const browser = spawn(program, [...words, address], { stdio: 'ignore', detached: true, cwd: '/' });
  // The address was printed: whoever has no such program opens it by hand.
  browser.on('error', () => {});
  browser.unref();
}

/** Null where there is no screen to show it on; there, xdg-open would start a browser for terminals. */
function commandFor(
  platform: NodeJS.Platform,
  { DISPLAY, WAYLAND_DISPLAY, SystemRoot = 'C:\\Windows' }: NodeJS.ProcessEnv,
): [string, ...string[]] | null {
  if (platform === 'darwin') return ['/usr/bin/open'];
  if (platform === 'win32') return [`${SystemRoot}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['/usr/bin/xdg-open'] : null;
}
