/** Who may ask the page's server; through the built command it is in test/e2e/view.test.ts. */
import { expect, it } from 'vitest';
import { ViewGuard } from '../../src/faces/view/guard.ts';

it('a ticket is exchanged for the token once, and no other text is', () => {
  const guard = new ViewGuard();
  expect(guard.redeem('')).toBeNull();
  const ticket = guard.newTicket();
  expect(ticket).not.toBe(guard.token);
  for (const wrong of ['', 'wrong', guard.token, 7, null, undefined]) expect(guard.redeem(wrong)).toBeNull();
  expect(guard.redeem(ticket)).toBe(guard.token);
  expect(guard.redeem(ticket)).toBeNull();
});

it('every server has a token of its own', () => {
  expect(new ViewGuard().token).not.toBe(new ViewGuard().token);
  expect(new ViewGuard().token).toMatch(/^[\w-]{32}$/);
});
