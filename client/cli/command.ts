/** One command of the command line: what help shows, and what it does. */
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Client } from '../src/index.ts'
import type { Wait } from '../src/retry.ts'

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>
  /** A result, on standard output. */
  say(line: string): void
  /** The same without a line break. */
  write(text: string): void
  /** Progress and warnings, on standard error. */
  note(line: string): void
  /** Standard input where something is piped in. */
  piped: AsyncIterable<string | Buffer> | undefined
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Between two questions to the server. */
  wait: Wait
}

export interface Call {
  terminal: Terminal
  /** As the person who is signed in. Throws where nobody is. */
  client(): Promise<Client>
  given: readonly string[]
  options: Readonly<Record<string, string | boolean | string[] | undefined>>
}

export interface Command {
  /** One or two words. */
  name: string
  /** In order; one in brackets may be left out, dots stand for several. */
  arguments: readonly string[]
  options?: ParseArgsOptionsConfig
  sentence: string
  details?: string
  /** The exit code is 0 unless it says otherwise. */
  run(call: Call): Promise<number | undefined>
}

/** What the person can mend, in one sentence. */
export class CliError extends Error {}
/** The command line can't be understood: help follows, and the exit code is 2. */
export class UsageError extends Error {}

export const textOption = ({ options }: Call, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

export const listOption = ({ options }: Call, name: string): string[] => {
  const value = options[name]
  return Array.isArray(value) ? value.map(String) : []
}
