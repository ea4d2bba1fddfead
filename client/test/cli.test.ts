/** What the command line does, against the whole server. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '../../server/test/harness/app.ts'
import { makePdf } from '../../server/test/harness/signing.ts'
import { chain, makePublished, workflowsPath } from '../../server/test/harness/workflows.ts'
import { startModelProvider } from '../../server/test/peers/model-provider.ts'
import { sitDown } from './cli-desk.ts'

const provider = await startModelProvider({ models: ['swift'] })
afterAll(() => provider.close())
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const ana = await app.user({ isProven: true })
const { home, run } = await sitDown({ CHANCERY_URL: app.url, CHANCERY_KEY: ana.token })

const folderOf = async (name: string, files: Record<string, string>): Promise<string> => {
  const folder = join(home, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  return folder
}

it('chat asks a model with the prompt and what is piped in', async () => {
  provider.script({ chunks: ['One', ' moment'] })
  expect(await run(['chat', 'Sum', 'this', 'up:'], { piped: 'A long text.\n' })).toEqual({
    code: 0,
    out: 'One moment\n',
    err: '',
  })
  const { body } = await provider.call(1)
  expect(body).toMatchObject({ model: 'swift', messages: [{ role: 'user', content: 'Sum this up:\n\nA long text.' }] })
})

it('events publish stores an event once for its id, and events follow prints it', async () => {
  const publish = ['events', 'publish', 'order_placed', '{"order":90071992547409931}', '--id', 'order-7']
  const { out } = await run(publish)
  expect((await run(publish)).out).toBe(`${out.trim()} (published before)\n`)
  const followed = await run(['events', 'follow', '--type', 'order_placed', '--after', '0'], {
    onLine: (_line, stop) => stop(),
  })
  expect(followed.code).toBe(130)
  expect(JSON.parse(followed.out)).toMatchObject({ event_id: out.trim() })
  expect(followed.out).toContain('90071992547409931')
  expect(await run(['events', 'publish', 'order_placed', '{'])).toMatchObject({ code: 2 })
})

it('runs start follows a run to its end, and runs list shows it', async () => {
  const { id } = await makePublished(ana)
  const started = await run(['runs', 'start', id, '{"a":1}', '--follow'])
  expect(started).toMatchObject({
    code: 0,
    err: expect.stringMatching(/succeeded +Node a\n(.*\n)*succeeded: A workflow/),
  })
  const { out } = await run(['runs', 'list', id, '--status', 'succeeded,failed'])
  expect(out).toMatch(/^succeeded .* A workflow\n$/)
  const [, runId = ''] = /([0-9a-f-]{36})/.exec(out) ?? []
  expect(await run(['runs', 'follow', runId])).toMatchObject({ code: 0 })
  expect(await run(['runs', 'follow', app.unknownId()])).toMatchObject({
    code: 1,
    err: expect.stringContaining('run_not_found'),
  })
})

describe('documents', () => {
  it('go from a file to signers, and come back as a file', async () => {
    const folder = await folderOf('papers', {})
    const file = join(folder, 'lease.pdf')
    await writeFile(file, makePdf())
    const email = 'bob.cli@example.test'
    const sent = await run(['documents', 'send', file, '--to', `Bob <${email}>`])
    expect(sent).toMatchObject({ code: 0, err: '' })
    const id = sent.out.trim()
    expect((await run(['documents', 'status', id])).out).toBe(`SENT: lease\n  NOTIFIED  Bob <${email}>\n`)
    expect(await run(['documents', 'download', id, '--output', join(folder, 'a.pdf')])).toMatchObject({ code: 1 })
    const target = join(folder, 'sent.pdf')
    const original = ['documents', 'download', id, '--original', '--output', target]
    expect(await run(original)).toMatchObject({ code: 0, out: `${target}\n` })
    expect((await readFile(target)).subarray(0, 5).toString()).toBe('%PDF-')
    expect(await run(original)).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already'),
    })
    expect(await readdir(folder)).toEqual(['lease.pdf', 'sent.pdf'])
  })

  it('that cannot be sent leave no draft', async () => {
    const file = join(await folderOf('papers', {}), 'lease.pdf')
    const before = (await ana.get('/api/signing/documents')).body.data.length
    expect(await run(['documents', 'send', file, '--to', 'x@nowhere'])).toMatchObject({ code: 1 })
    expect((await ana.get('/api/signing/documents')).body.data).toHaveLength(before)
    expect(await run(['documents', 'send', file, '--to', 'nobody'])).toMatchObject({ code: 2 })
  })
})

it('knowledge sync makes a collection equal to a folder', async () => {
  const folder = await folderOf('handbook', { 'a.md': 'About travel.', 'b/c.md': 'About leave.', '.hidden': 'x' })
  const sync = ['knowledge', 'sync', folder, '--collection', 'Handbook']
  expect(await run([...sync, '--preview'])).toMatchObject({ code: 0, out: 'add     a.md\nadd     b/c.md\n' })
  expect(await run(sync)).toMatchObject({ code: 0, err: expect.stringContaining('2 added, 0 changed, 0 removed') })
  await writeFile(join(folder, 'a.md'), 'About trains.')
  await rm(join(folder, 'b'), { recursive: true })
  expect(await run(sync)).toMatchObject({ code: 0, out: 'change  a.md\nremove  b/c.md\n' })
  expect(await run(sync)).toMatchObject({ code: 0, out: '', err: '0 added, 0 changed, 0 removed\n' })
  await rm(join(folder, 'a.md'))
  expect(await run(sync)).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was changed') })
})

it('workflows go through files: pull, diff, push and publish', async () => {
  const ben = await app.user()
  const { id } = await makePublished(ben, chain('a', 'b'))
  const desk = await sitDown({ CHANCERY_URL: app.url, CHANCERY_KEY: ben.token })
  const folder = join(desk.home, 'flows')
  expect(await desk.run(['workflows', 'pull', folder])).toMatchObject({ code: 0, out: 'a-workflow.workflow.json\n' })
  expect(await desk.run(['workflows', 'diff', folder])).toEqual({ code: 0, out: '', err: '' })

  const file = join(folder, 'a-workflow.workflow.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"description": ""', '"description": "Takes orders"'))
  const diff = await desk.run(['workflows', 'diff', folder])
  expect(diff).toMatchObject({
    code: 1,
    out: expect.stringContaining('-   "description": "",\n+   "description": "Takes orders",'),
  })

  // Somebody edits it in the web app meanwhile: what they did becomes a version.
  await ben.put(`${workflowsPath}/${id}`, { graph: chain('a', 'b', 'c') })
  expect(await desk.run(['workflows', 'publish', folder])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Push it first'),
  })
  expect(await desk.run(['workflows', 'push', folder])).toMatchObject({
    code: 0,
    out: 'changed a-workflow.workflow.json\n',
  })
  expect(await desk.run(['workflows', 'push', folder])).toMatchObject({ code: 0, out: '' })
  const { versions } = (await ben.get(`${workflowsPath}/${id}/versions`)).body
  expect(versions[0]).toMatchObject({ type: 'Manual', notes: 'Before a push from files' })

  await writeFile(file, JSON.stringify({ ...JSON.parse(text), graph: chain('a', 'b', 'c', 'd') }))
  await desk.run(['workflows', 'push', folder])
  expect(await desk.run(['workflows', 'publish', folder])).toMatchObject({
    code: 0,
    out: expect.stringContaining('published'),
  })
  expect(await desk.run(['workflows', 'publish', folder])).toMatchObject({
    code: 0,
    err: expect.stringContaining('unchanged'),
  })

  await writeFile(join(folder, 'new.workflow.json'), text.replace('A workflow', 'Another'))
  expect(await desk.run(['workflows', 'push', folder])).toMatchObject({ code: 0, out: 'new new.workflow.json\n' })
  expect((await ben.get(workflowsPath)).body.total).toBe(2)

  await writeFile(join(folder, 'broken.workflow.json'), '{')
  expect(await desk.run(['workflows', 'push', folder])).toMatchObject({
    code: 1,
    err: expect.stringContaining('broken'),
  })
})

describe('a folder of workflows that somebody else wrote', () => {
  it('leads to no file outside of it', async () => {
    const { id } = await makePublished(ana, chain('a', 'b'))
    const folder = await folderOf('hostile', {})
    const list = join(folder, 'chancery-workflows.json')
    const outside = join(home, 'mine.workflow.json')
    await writeFile(outside, 'mine')
    for (const file of ['../mine.workflow.json', '.npmrc']) {
      await writeFile(list, JSON.stringify({ [app.url]: { [file]: id } }))
      const pulled = await run(['workflows', 'pull', folder])
      expect(pulled).toMatchObject({ code: 1, err: expect.stringContaining("isn't a list of servers") })
    }
    const file = 'a.workflow.json'
    await writeFile(list, JSON.stringify({ [app.url]: { [file]: id } }))
    await symlink(outside, join(folder, `${file}.new`))
    expect(await run(['workflows', 'pull', folder, id])).toMatchObject({ code: 0, out: `${file}\n` })
    expect(await readFile(outside, 'utf8')).toBe('mine')
  })

  it('is pushed only where each file is a workflow of its own, and remembers what was made before a failure', async () => {
    const written = (name: string) =>
      JSON.stringify({ format: 'chancery-workflow', version: 1, name, description: '', graph: chain('a') })
    const folder = await folderOf('copies', {
      'a.workflow.json': written('First'),
      'b.workflow.json': written('x'.repeat(300)),
    })
    const push = ['workflows', 'push', folder]
    expect(await run(push)).toMatchObject({ code: 1, out: 'new a.workflow.json\nnew b.workflow.json\n' })
    const list = join(folder, 'chancery-workflows.json')
    expect(JSON.parse(await readFile(list, 'utf8'))).toEqual({ [app.url]: { 'a.workflow.json': expect.any(String) } })
    await writeFile(join(folder, 'b.workflow.json'), written('First').replace('"a"', '"z"'))
    expect(await run(push)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('are both the workflow') })
  })
})
