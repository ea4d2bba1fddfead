/** One command of `chancery`: what help shows, and what it does. */
import type { ParseArgsOptionsConfig } from 'node:util'

export interface Call {
  env: NodeJS.ProcessEnv
  /** By the names that the command declares; an optional one that was not given is missing. */
  given: Readonly<Record<string, string>>
  options: Readonly<Record<string, string | boolean | undefined>>
  /** The result, on standard output. */
  say(line: string): void
  /** Progress and warnings, on standard error. */
  note(line: string): void
}

export interface Command {
  name: string
  /** In order, as help shows them; one in brackets (`[FILE]`) may be left out. */
  arguments: readonly string[]
  options?: ParseArgsOptionsConfig
  /** What it does, for the list of commands. */
  sentence: string
  /** More, for `chancery help NAME`. */
  details?: string
  /**
   * Resolves to the exit code: 0 unless it says otherwise. What the operator can mend is thrown as a StartError with one
   * sentence, and exits with 1. It imports its work here, so that help and other commands don't load it.
   */
  run(call: Call): Promise<number | undefined>
}

/** The command line can't be understood: its sentence is followed by help, and the exit code is 2. */
export class UsageError extends Error {}
