/** Every request of a conversation carries the declarations, so each of them has to be short. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import { forAnthropic, forAnyone, forGemini, forOpenAI, forOpenAIChat } from '../../src/faces/tools/shapes.ts';

const shapes = { forOpenAI, forOpenAIChat, forAnthropic, forGemini };

const declared = Object.entries(dialects).flatMap(([dialect, { tools }]) =>
  tools.map(({ tool }) => ({ dialect, tool })),
);

describe.each(declared)('$tool.name of $dialect', ({ tool }) => {
  it.each(Object.entries(shapes))('costs at most 200 tokens %s', (_, shape) => {
    expect(encode(JSON.stringify(shape(tool))).length).toBeLessThanOrEqual(200);
  });

  it('says what it is and what it takes', () => {
    const { description, parameters } = forAnyone(tool);
    expect(description).toMatch(/^(Lists?|Map|Find) .*\.$/);
    expect(Object.keys(parameters.properties as object)).not.toEqual([]);
  });
});
