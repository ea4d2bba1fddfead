/** All commands, in the order in which help lists them. */
import type { Command } from './command.ts'
import { migrate } from './migrate.ts'
import { start } from './start.ts'

export const commands: readonly Command[] = [start, migrate]
