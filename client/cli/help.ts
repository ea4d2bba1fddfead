/** What help prints. Pure. */
import type { Command } from './command.ts'

const optionsOf = ({ options = {} }: Command): string[] =>
  Object.entries(options).map(([name, { type, multiple }]) => {
    const option = type === 'string' ? `--${name} ${name.toUpperCase()}` : `--${name}`
    return multiple ? `[${option}]…` : `[${option}]`
  })

export const helpFor = (command: Command): string => {
  const usage = ['chancery', command.name, ...command.arguments, ...optionsOf(command)].join(' ')
  return [`Usage: ${usage}`, command.sentence, ...(command.details === undefined ? [] : [command.details])].join('\n\n')
}

export const listCommands = (commands: readonly Command[]): string => {
  const names = commands.map(({ name, arguments: given }) => [name, ...given].join(' '))
  const width = Math.max(...names.map(({ length }) => length)) + 2
  return [
    'Usage: chancery COMMAND',
    '',
    ...commands.map(({ sentence }, index) => `  ${names[index]?.padEnd(width)}${sentence}`),
    '',
    'chancery help COMMAND says more about one of them. Sign in with chancery login, or set CHANCERY_URL and CHANCERY_KEY.',
  ].join('\n')
}
