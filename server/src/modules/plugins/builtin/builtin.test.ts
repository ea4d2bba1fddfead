/** Built-in tools: the calculator and the code interpreters. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]
const told = () => provider.calls().at(-1)?.body.messages.at(-1).content

describe('the calculator', () => {
  it.each([
    ['(12.5 * 3) / 7', '5.357142857142857'],
    ['2 ** 10 % 7', '2'],
    ['1 +', "Error: It can't be calculated"],
  ])('answers %s', async (expression, answer) => {
    provider.script({ toolCalls: [{ name: 'calculate', arguments: { expression } }] }, { text: 'Done.' })
    await (await app.user()).post(path, { model: 'swift', messages, tool_ids: ['builtin:calculator'] })
    expect(told()).toContain(answer)
  })

  it('A41: refuses what is not arithmetic, however it is written, and goes on calculating', async () => {
    const hostile = [
      '9 ** 9 ** 9',
      "'a' * 10 ** 9",
      '[1] * 10 ** 9',
      `${'('.repeat(1e5)}1${')'.repeat(1e5)}`,
      '-'.repeat(1e5),
      '__import__("os")',
      '().__class__.__bases__',
      '(1).constructor',
      'lambda: 1',
      '[1 for a in [1] * 99999 for b in [1] * 99999]',
      'while True: pass',
      'globalThis',
      'process.exit()',
      '1; 2',
      '/^(a+)+$/.test("aaaa!")',
    ]
    const toolCalls = [...hostile, '6 * 7'].map((expression) => ({ name: 'calculate', arguments: { expression } }))
    provider.script({ toolCalls }, { text: 'Done.' })
    await (await app.user()).post(path, { model: 'swift', messages, tool_ids: ['builtin:calculator'] })
    const answers = provider
      .calls()
      .at(-1)
      ?.body.messages.slice(-toolCalls.length)
      .map(({ content }: { content: string }) => content)
    for (const [index, answer] of answers.slice(0, -1).entries()) expect(answer, hostile[index]).toMatch(/^Error: /)
    expect(answers.at(-1)).toBe('42')
  })
})

describe('the code interpreter', () => {
  it('runs JavaScript where the feature is on, and shows the run with the message', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const code = 'const sum = [1, 2, 3].reduce((a, b) => a + b)\\nconsole.log("sum", sum)\\nreturn sum * 2'.replaceAll(
      '\\n',
      '\n',
    )
    provider.script({ toolCalls: [{ name: 'run_javascript', arguments: { code } }] }, { text: 'Done.' })
    await ana.post(path, { model: 'swift', ...chat.body, features: { code_interpreter: true } })
    expect(told()).toBe('sum 6\n12')
    expect((await chat.done()).code_executions).toMatchObject([
      { type: 'code_execution', language: 'javascript', code, result: { output: 'sum 6\n12' } },
    ])
  })

  it('has no network and no escape, and tells what failed', async () => {
    const ana = await app.user()
    for (const [code, words] of [
      ['await fetch("https://example.test")', 'no network'],
      ['return process.env', 'process'],
      ['} constructor() { throw new Error("out") }', ''],
    ]) {
      provider.script({ toolCalls: [{ name: 'run_javascript', arguments: { code } }] }, { text: 'Done.' })
      await ana.post(path, { model: 'swift', messages, features: { code_interpreter: true } })
      expect(told()).toMatch(/^Error: /)
      expect(told()).toContain(words)
    }
  })
})

describe('Python', () => {
  const run = async (code: string, answer?: (event: { data: unknown }, reply: (value: unknown) => void) => void) => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const socket = await createSockets(app.url).connectAs(ana)
    socket.on('events', (event, reply) => reply && answer?.(event, reply))
    provider.script({ toolCalls: [{ name: 'run_python', arguments: { code } }] }, { text: 'Done.' })
    const session = { session_id: answer ? socket.id : 'nobody' }
    await ana.post(path, { model: 'swift', ...chat.body, ...session, features: { code_interpreter: true } })
    return (await chat.done()).code_executions
  }

  it('runs in the browser that asked, and the run is stored with its result', async () => {
    const asked: unknown[] = []
    const runs = await run('print(6 * 7)', ({ data }, reply) => {
      asked.push(data)
      reply({ output: '42\n' })
    })
    expect(asked).toMatchObject([{ type: 'execute:python', data: { code: 'print(6 * 7)' } }])
    expect(told()).toBe('42\n')
    expect(runs).toMatchObject([{ language: 'python', code: 'print(6 * 7)', result: { output: '42\n' } }])
  })

  it.each([
    ['an error', { output: 'one\n', error: 'ZeroDivisionError' }, 'Error: one\n\nZeroDivisionError'],
    ['what is no result', 'forty-two', 'Error: The browser can’t run Python.'],
    ['nothing to read', { output: 7, error: 8 }, 'It ran and printed nothing.'],
  ])('tells the model when the browser answers with %s', async (_what, answer, words) => {
    await run('1 / 0', (_event, reply) => reply(answer))
    expect(told()).toBe(words)
  })

  it('fails at once without a browser, and isn’t offered to requests that have none', async () => {
    const runs = await run('print(1)')
    expect(told()).toContain('not connected')
    expect(runs).toMatchObject([{ result: { error: expect.stringContaining('not connected') } }])
    await (await app.user()).post(path, { model: 'swift', messages, features: { code_interpreter: true } })
    const offered = provider
      .calls()
      .at(-1)
      ?.body.tools.map(({ function: { name } }: { function: { name: string } }) => name)
    expect(offered).toEqual(['run_javascript'])
  })
})
