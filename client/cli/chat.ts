/** Asks a model, and prints its reply while it is written. */
import { listModels } from '@chancery/contract/endpoints/models.ts'
import { type Client, streamCompletion } from '../src/index.ts'
import { CliError, type Command, type Terminal, textOption, UsageError } from './command.ts'

const readPiped = async ({ piped }: Terminal): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of piped ?? []) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString('utf8').trim()
}

const firstModel = async (client: Client): Promise<string> => {
  const [model] = (await client.call(listModels)).data
  if (!model) throw new CliError('There is no model that you may use.')
  return model.id
}

export const chat: Command = {
  name: 'chat',
  arguments: ['[PROMPT…]'],
  options: { model: { type: 'string' }, system: { type: 'string' } },
  sentence: 'Ask a model. What is piped in comes after the prompt.',
  details: 'Example: git diff | chancery chat --model gpt-5 "Write a commit message for this:"',
  run: async (call) => {
    const { terminal, given } = call
    const content = [given.join(' '), await readPiped(terminal)].filter((text) => text !== '').join('\n\n')
    if (content === '') throw new UsageError('chat needs a prompt, or something piped in.')
    const client = await call.client()
    const model = textOption(call, 'model') ?? (await firstModel(client))
    const system = textOption(call, 'system')
    const messages = [...(system === undefined ? [] : [{ role: 'system', content: system }]), { role: 'user', content }]
    for await (const { choices = [] } of streamCompletion(client, { model, messages }, { signal: terminal.signal }))
      terminal.write(choices[0]?.delta?.content ?? '')
    terminal.say('')
    return undefined
  },
}
