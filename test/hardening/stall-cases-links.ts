import type { Case } from './stall-attack.ts';
export const LINKS: readonly Case[] = [];
