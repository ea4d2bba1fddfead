/** Which command a command line names, and what it gives to it. Pure. */
import { parseArgs } from 'node:util'
import { type Command, UsageError } from './command.ts'

interface Read {
  command: Command
  given: Record<string, string>
  options: Record<string, string | boolean | undefined>
}

export const readCall = (commands: readonly Command[], [name = '', ...rest]: readonly string[]): Read => {
  const command = commands.find((each) => each.name === name)
  if (!command) throw new UsageError(`There is no command ${name}.`)
  const { values, positionals } = parse(command, rest)
  return { command, given: readArguments(command, positionals), options: values }
}

const parse = (command: Command, args: string[]) => {
  try {
    const { values, positionals } = parseArgs({ args, options: command.options ?? {}, allowPositionals: true })
    return { values: values as Read['options'], positionals }
  } catch (problem) {
    throw new UsageError((problem as Error).message)
  }
}

const isOptional = (name: string): boolean => name.startsWith('[')

const readArguments = (command: Command, found: readonly string[]): Record<string, string> => {
  const missing = command.arguments.find((name, index) => !isOptional(name) && found[index] === undefined)
  if (missing !== undefined) throw new UsageError(`${command.name} needs ${missing}.`)
  if (found.length > command.arguments.length)
    throw new UsageError(`${command.name} doesn't take "${found[command.arguments.length]}".`)
  return Object.fromEntries(found.map((text, index) => [nameOf(command.arguments[index]), text]))
}

const nameOf = (argument = ''): string => argument.replace(/[[\]]/g, '')
