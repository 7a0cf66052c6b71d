/** The id of a request that is not parsed, found byte by byte. */
import { describe, expect, it } from 'vitest';
import { MessageScanner } from '../../src/faces/mcp/message.ts';

/** What is found, whatever the pieces are in which the text arrives. */
function found(text: string) {
  const bytes = Buffer.from(text);
  const results = [1, 3, bytes.length].map((size) => {
    const scanner = new MessageScanner();
    for (let at = 0; at < bytes.length; at += size) scanner.add(bytes.subarray(at, at + size));
    return scanner.takeId();
  });
  expect(new Set(results).size).toBe(1);
  return results[0];
}

const TO_NOBODY = undefined;

describe('the id of a request that is not parsed', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"method":"m","params":{"id":1}}', 7],
    ['{"method":"m","params":{"a":["}",{"id":1}],"b":"\\"}{"},"jsonrpc":"2.0","id":0}', 0],
    [' { "method" : "m" , "id" : -1.5e1 } \r', -15],
    ['{"id":"é\\n\\"x","method":"m"}', 'é\n"x'],
    [`{"${'k'.repeat(5_000)}":1,"id":2,"method":"m"}`, 2],
  ])('%.60s', (text, id) => {
    expect(found(text)).toBe(id);
  });

  it.each([
    '',
    'xxx',
    '"{}"',
    '{"id":1,"method":"m"',
    '{"id":1,"method":"m"}}',
    '{"id":1,"method":"m"}{"id":2,"method":"m"}',
    '{"id":1,"method":"m"} x',
    '{"id":1,"method":"m]',
    '[{"id":1,"method":"m"}]',
    '{"id":1,"method":"m","id":2}',
    '{"id":{},"method":"m"}',
    '{"id":null,"method":"m"}',
    '{"id":true,"method":"m"}',
    '{"id":1 2,"method":"m"}',
    `{"id":"${'x'.repeat(70_000)}","method":"m"}`,
  ])('is not sure in %.60s', (text) => {
    expect(found(text)).toBe(null);
  });

  it.each([
    '{"method":"m","params":{"id":1}}',
    '{"id":1,"method":7}',
    '{"id":1,"result":{"method":"m"}}',
    '{"id":1,"error":{}}',
  ])('is not wanted in %s, which nobody waits for', (text) => {
    expect(found(text)).toBe(TO_NOBODY);
  });

  it.each(['{', '{:', '{,', '{"id":1,', '{"id":', '{{', '}'])('takes little time over a megabyte of %s', (start) => {
    const bytes = Buffer.from(start + start.slice(1).repeat(1_000_000 / start.length));
    const scanner = new MessageScanner();
    const before = process.cpuUsage().user;
    scanner.add(bytes);
    expect(scanner.takeId()).toBe(null);
    expect(process.cpuUsage().user - before).toBeLessThan(500_000);
  });

  it('starts anew for the next message', () => {
    const scanner = new MessageScanner();
    scanner.add(Buffer.from('{"id":1,"method":"'));
    expect(scanner.takeId()).toBe(null);
    scanner.add(Buffer.from('{"id":2,"method":"m"}'));
    expect(scanner.takeId()).toBe(2);
  });
});
