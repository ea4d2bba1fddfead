/** Suggestions in the web app's plugin editor come from this package's types. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readTypes } from '../../web/src/features/plugins/read-types.ts'

const source = readFileSync(new URL('index.ts', import.meta.url), 'utf8')

it('finds every helper, event and type of the package, with types and comments', () => {
  const { helpers, events, names } = readTypes(source)
  expect(helpers.map(({ label }) => label)).toEqual([
    '__id__',
    '__user__',
    '__valves__',
    '__metadata__',
    '__request__',
    '__model__',
    '__messages__',
    '__files__',
    '__chat_id__',
    '__message_id__',
    '__session_id__',
    '__task__',
    '__tools__',
    '__event_emitter__',
    '__event_call__',
    'signal',
  ])
  expect(helpers).toContainEqual({ label: '__user__', detail: 'User<UserValves>', info: '' })
  expect(helpers).toContainEqual({
    label: 'signal',
    detail: 'AbortSignal',
    info: 'Aborts when the call ends.',
  })
  expect(events.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['status', 'chat:message:embeds', 'citation', 'execute', 'confirmation', 'input']),
  )
  expect(events.find(({ label }) => label === 'status')?.detail).toContain('done?: boolean')
  expect(names.map(({ label }) => label)).toEqual(expect.arrayContaining(['Helpers', 'Body', 'Chunk', 'PluginEvent']))
})
