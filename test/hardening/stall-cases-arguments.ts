import type { Case } from './stall-attack.ts';
export const ARGUMENTS: readonly Case[] = [];
