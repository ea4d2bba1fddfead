/** Runs a command line and returns the exit code: 0 done, 1 failed, 2 not understood, 130 interrupted. */
import { parseArgs } from 'node:util'
import { ApiError, Client } from '../src/index.ts'
import { CliError, type Command, type Terminal, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { readSignIn } from './credentials.ts'
import { helpFor, listCommands } from './help.ts'

const findCommand = (args: readonly string[]): { command: Command; rest: string[] } | undefined => {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ')
    const command = commands.find((each) => each.name === name)
    if (command) return { command, rest: args.slice(words) }
  }
  return undefined
}

const parse = ({ options = {}, arguments: wanted, name }: Command, args: string[]) => {
  let parsed: { values: Record<string, string | boolean | string[] | undefined>; positionals: string[] }
  try {
    parsed = parseArgs({ args, options, allowPositionals: true }) as typeof parsed
  } catch (problem) {
    throw new UsageError((problem as Error).message)
  }
  const { values, positionals: given } = parsed
  const missing = wanted.find((argument, index) => !argument.startsWith('[') && given[index] === undefined)
  if (missing !== undefined) throw new UsageError(`${name} needs ${missing}.`)
  const takesMore = wanted.at(-1)?.includes('…') === true
  if (!takesMore && given.length > wanted.length)
    throw new UsageError(`${name} doesn't take "${given[wanted.length]}".`)
  return { given, options: values }
}

const connect = async ({ env }: Terminal): Promise<Client> => {
  const signIn = await readSignIn(env)
  if (!signIn) throw new CliError('You are not signed in. Run chancery login, or set CHANCERY_URL and CHANCERY_KEY.')
  return new Client(signIn)
}

export const runCli = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  const [first] = args
  const isHelp = first === undefined || first === 'help' || args.includes('--help') || args.includes('-h')
  const asked = first === 'help' ? args.slice(1) : args.filter((word) => word !== '--help' && word !== '-h')
  const found = findCommand(asked)
  if (isHelp) {
    terminal.say(found ? helpFor(found.command) : listCommands(listed(asked)))
    return 0
  }
  try {
    if (!found) throw new UsageError(`There is no command ${args.slice(0, 2).join(' ')}.`)
    const { command, rest } = found
    return (await command.run({ terminal, client: () => connect(terminal), ...parse(command, rest) })) ?? 0
  } catch (problem) {
    if (terminal.signal.aborted) return 130
    if (problem instanceof UsageError) {
      terminal.note(`${problem.message}\n\n${found ? helpFor(found.command) : listCommands(listed(args))}`)
      return 2
    }
    terminal.note(sentenceOf(problem))
    return 1
  }
}

/** Those of the area that was named, if there is one. */
const listed = ([area = '']: readonly string[]): readonly Command[] => {
  const inside = commands.filter(({ name }) => name.startsWith(`${area} `))
  return inside.length > 0 ? inside : commands
}

/** A file that can't be read or written: its message says which one, and why. */
const isOfSystem = (problem: unknown): problem is Error =>
  problem instanceof Error && typeof (problem as NodeJS.ErrnoException).syscall === 'string'

const sentenceOf = (problem: unknown): string => {
  if (problem instanceof CliError) return problem.message
  if (!(problem instanceof ApiError))
    return isOfSystem(problem) ? problem.message : String((problem as Error).stack ?? problem)
  if (problem.is('not_authenticated'))
    return 'The server no longer accepts your sign-in. Run chancery login, or check CHANCERY_KEY.'
  // Every call that names a thing has a code of its own for one that isn't there.
  if (problem.is('not_found'))
    return "The server doesn't know this call, so it is older than this program. Update the server, or use the program that came with it."
  const request = problem.requestId === undefined ? '' : `, request ${problem.requestId}`
  return `${problem.message} (${problem.code}${request})`
}
