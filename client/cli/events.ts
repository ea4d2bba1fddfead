/** Publishing and following events. */
import { followEvents, ingestEvent } from '@chancery/contract/endpoints/events.ts'
import { parseJson } from '@chancery/contract/reading/exact-json.ts'
import { type Call, type Command, textOption, UsageError } from './command.ts'

/** Undefined where it wasn't given. */
export const readJson = (text: string | undefined, name: string): unknown => {
  if (text === undefined) return undefined
  try {
    return parseJson(text)
  } catch {
    throw new UsageError(`${name} isn't valid JSON.`)
  }
}

const filters = { correlation: { type: 'string' }, source: { type: 'string' } } as const
const filtersOf = (call: Call) => {
  const [correlation_id, source] = [textOption(call, 'correlation'), textOption(call, 'source')]
  return { ...(correlation_id !== undefined && { correlation_id }), ...(source !== undefined && { source }) }
}

export const publishEvent: Command = {
  name: 'events publish',
  arguments: ['TYPE', '[PAYLOAD]'],
  options: { ...filters, id: { type: 'string' } },
  sentence: 'Publish an event. The payload is JSON.',
  details: 'With --id, the same event is published once, however often the command runs within a day.',
  run: async (call) => {
    const [event_type = '', text] = call.given
    const payload = readJson(text, 'PAYLOAD')
    const event_id = textOption(call, 'id')
    const client = await call.client()
    const { event_id: id, duplicate } = await client.call(ingestEvent, {
      body: {
        event_type,
        ...filtersOf(call),
        ...(payload !== undefined && { payload }),
        ...(event_id && { event_id }),
      },
      signal: call.terminal.signal,
      ...(event_id && { key: event_id }),
    })
    call.terminal.say(duplicate ? `${id} (published before)` : id)
    return undefined
  },
}

export const tailEvents: Command = {
  name: 'events follow',
  arguments: [],
  options: { ...filters, type: { type: 'string' }, after: { type: 'string' } },
  sentence: 'Print events as they are published, one JSON object per line, until you press Ctrl-C.',
  details: '--after SEQ starts behind an earlier event: its field seq.',
  run: async (call) => {
    const [event_type, after] = [textOption(call, 'type'), textOption(call, 'after')]
    const client = await call.client()
    const query = {
      ...filtersOf(call),
      ...(event_type !== undefined && { event_type }),
      ...(after !== undefined && { after }),
    }
    for await (const { data } of client.follow(followEvents, { query, signal: call.terminal.signal }))
      call.terminal.say(data)
    return undefined
  },
}
