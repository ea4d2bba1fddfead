/** Runs what a command line asks for, and answers with the exit code: 0 done, 1 failed, 2 not understood. */
import { StartError } from '#kernel/process/start-error.ts'
import { type Call, type Command, UsageError } from './command.ts'
import { helpFor, listCommands } from './help.ts'
import { readCall } from './read-call.ts'
import { readVersion } from './version.ts'

interface Terminal extends Pick<Call, 'env' | 'say' | 'note'> {
  commands: readonly Command[]
}

export const runCommand = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  const { commands, env, say, note } = terminal
  const [first, second] = args
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') return showHelp(terminal, second)
  if (first === '--version' || first === '-v') {
    say(readVersion())
    return 0
  }
  if (args.includes('--help')) return showHelp(terminal, first)
  try {
    const { command, given, options } = readCall(commands, args)
    return (await command.run({ env, given, options, say, note })) ?? 0
  } catch (problem) {
    if (problem instanceof UsageError) return refuse(terminal, problem.message, first)
    note(problem instanceof StartError ? problem.message : String((problem as Error).stack))
    return 1
  }
}

const showHelp = (terminal: Terminal, name: string | undefined): number => {
  const command = terminal.commands.find((each) => each.name === name)
  if (name !== undefined && !command) return refuse(terminal, `There is no command ${name}.`, name)
  terminal.say(command ? helpFor(command) : listCommands(terminal.commands))
  return 0
}

const refuse = ({ commands, note }: Terminal, sentence: string, name: string): number => {
  const command = commands.find((each) => each.name === name)
  note(`${sentence}\n\n${command ? helpFor(command) : listCommands(commands)}`)
  return 2
}
