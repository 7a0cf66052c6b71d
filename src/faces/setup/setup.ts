/** `agent-ls setup`: writes the configuration of a client, or takes out what it wrote. */
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { knownWord, UsageError } from '../../protocol/usage-error.ts';
import type { CommandLine } from '../cli/command-line.ts';
import { SETUP_CLIENTS, type SetupClient } from '../cli/options.ts';
import type { Streams } from '../cli/streams.ts';
import { CLIENTS, commandWords, type SettingsFile, type SetupOptions } from './clients.ts';
import { editJson } from './jsonc.ts';
import { isInstalled, readSettings, writeSettings } from './settings-file.ts';
import { editToml } from './toml.ts';

export async function runSetup(line: CommandLine, streams: Streams): Promise<number> {
  const options = optionsIn(line);
  const [name] = line.positionals;
  const done = async (text: string, status = 0) => {
    await streams.print(text);
    return status;
  };
  if (name === undefined) return done(SETUP_CLIENTS.map((client) => overview(client, options)).join('\n'));
  const client = knownWord('client', name, SETUP_CLIENTS);
  const { title, files, next = '' } = CLIENTS[client];
  const [isRemoving, isPrinting] = [line.switch('remove'), line.switch('print')];
  if (isPrinting && !isRemoving) {
    const printed = ({ path, entries }: SettingsFile) => `${path}\n${edit(path)(null, [], entries) ?? ''}`.trimEnd();
    return done(files(options).map(printed).join('\n\n'));
  }
  const toDo = `Start ${client} in a project.${next}`;
  const changes = changesOf(files, options, isRemoving).filter(({ before, after }) => before !== after);
  if (changes.length === 0)
    return done(isRemoving ? `agent-ls is not set up in ${title}.` : `${title} is already set up. ${toDo}`);
  const paths = changes.map(({ path }) => `  ${path}`).join('\n');
  if (isPrinting) return done(`agent-ls would be removed from\n${paths}`);
  const question = `${isRemoving ? 'Remove agent-ls from' : 'Write agent-ls into'}\n${paths}\nContinue? [Y/n] `;
  if (!line.switch('yes') && !(await agrees(question, streams))) return done('Nothing was changed.', 1);
  for (const { path, after } of changes) writeSettings(path, after);
  return done(isRemoving ? `Removed from\n${paths}` : `Written into\n${paths}\n${toDo}`);
}

function optionsIn(line: CommandLine): SetupOptions {
  const [, command] = commandWords();
  if (/[\\/]_npx[\\/]/.test(command))
    throw new UsageError('npx deletes its copy some day. Install the command first: npm install -g agent-ls');
  const root = line.value('root');
  return {
    isProject: knownWord('--scope', line.value('scope') ?? 'user', ['user', 'project']) === 'project',
    root: root === undefined ? undefined : resolve(root),
    map: !line.switch('no-map'),
    bridge: line.switch('bridge'),
  };
}

/** All files are read and changed before any is written. Whatever was written before is replaced: with or without hooks. */
function changesOf(files: (options: SetupOptions) => SettingsFile[], options: SetupOptions, isRemoving: boolean) {
  const wanted = files(options);
  return files({ ...options, map: true, bridge: true }).map(({ path, entries }, i) => {
    try {
      const before = readSettings(path);
      return { path, before, after: edit(path)(before, entries, isRemoving ? [] : (wanted[i]?.entries ?? [])) };
    } catch (error) {
      throw new Error(`${path} was left as it is: ${(error as Error).message}. Correct it, then run this again.`);
    }
  });
}

const edit = (path: string) => (path.endsWith('.toml') ? editToml : editJson);

function overview(client: SetupClient, options: SetupOptions): string {
  const { title, files } = CLIENTS[client];
  const found = isInstalled(client) ? 'installed' : 'not found on the path';
  const paths = files(options).map(({ path }) => path);
  return `${title}: ${found}. "agent-ls setup ${client}" writes into ${paths.join(' and ')}.`;
}

async function agrees(question: string, { isTerminal }: Streams): Promise<boolean> {
  if (!isTerminal || !process.stdin.isTTY) return true;
  const asking = createInterface(process.stdin, process.stdout);
  const answer = await asking.question(question);
  asking.close();
  return /^(?:y|yes|)$/i.test(answer.trim());
}
