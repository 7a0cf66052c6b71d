import type { Case } from './stall-attack.ts';
export const CROWDS: readonly Case[] = [];
