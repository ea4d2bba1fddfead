/** What `chancery help` prints. Pure. */
import type { Command } from './command.ts'

const optionsOf = ({ options = {} }: Command): string[] =>
  Object.entries(options).map(([name, { type }]) => (type === 'string' ? `[--${name} VALUE]` : `[--${name}]`))

const usageOf = (command: Command): string => [command.name, ...command.arguments, ...optionsOf(command)].join(' ')

export const helpFor = (command: Command): string => {
  const more = command.details === undefined ? '' : `\n\n${command.details}`
  return `Usage: chancery ${usageOf(command)}\n\n${command.sentence}${more}`
}

export const listCommands = (commands: readonly Command[]): string => {
  const names = commands.map((command) => [command.name, ...command.arguments].join(' '))
  const width = Math.max(...names.map(({ length }) => length)) + 2
  const lines = commands.map(({ sentence }, index) => `  ${names[index]?.padEnd(width)}${sentence}`)
  return [
    'Usage: chancery COMMAND',
    '',
    ...lines,
    '',
    'chancery help COMMAND says more about one of them, chancery --version which release this is.',
    'All of them read the same variables as the server, such as SVC_DATA_DIR and DATABASE_URL.',
    'For people with an account, on any machine: login, chat, events, runs, documents, knowledge, workflows.',
  ].join('\n')
}
