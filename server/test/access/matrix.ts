/**
 * The access matrix: one row for each route that names something by id, with who may do what to whose things. New
 * routes are entered here.
 */
import { randomUUID } from 'node:crypto'
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { Run } from '@chancery/contract/workflows/runs.ts'
import { createSignals } from '#kernel/db/signals.ts'
import { createLog } from '#kernel/log.ts'
import { stopTopic } from '#modules/completions/replies/stop-reply.ts'
import type { TestApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { uploadText } from '#test/harness/files.ts'
import { password } from '#test/harness/people.ts'
import { runWhere, startByHand } from '#test/harness/runs.ts'
import { chain, node, publishWorkflow, workflowsPath } from '#test/harness/workflows.ts'
import { factorRows } from './factor-rows.ts'
import { providerRows } from './provider-rows.ts'
import {
  type Cast,
  everybody,
  nobodyAtAll,
  none,
  onlyBoss,
  onlyPlatform,
  onlySelf,
  type Row,
  undelivered,
  withinOrganization,
} from './row.ts'
import { scimRows } from './scim-rows.ts'
import { signingRows } from './signing-rows.ts'

const newSession: Row['make'] = async (app, { victim }) => {
  const { body } = await app.newcomer().post('/api/auth/login', { email: victim.email, password })
  const list = await app.newcomer().get('/api/auth/sessions', bearer(body.token))
  const { id } = list.body.sessions.find((session: { current: boolean }) => session.current)
  return { id, marks: [body.token] }
}
/** Of another platform admin: not even a colleague may end it. */
const adminSession: Row['make'] = async (app) => ({ id: app.unknownId(), marks: [] })
const noProvider: Row['make'] = async () => ({ id: 'oidc', marks: [] })
const newKey: Row['make'] = async (_app, { victim }) => {
  const { id, key, prefix } = (await victim.post('/api/v1/api-keys', { name: 'a name to hide' })).body
  return { id, marks: [key, prefix, 'a name to hide'] }
}
const memory: Row['make'] = async (_app, { victim }) => {
  const { id } = (await victim.post('/api/v1/memories', { content: 'a fact to hide' })).body
  return { id, marks: ['a fact to hide'] }
}
const user: Row['make'] = async (_app, { victim: { id, email, name } }) => ({ id, marks: [email, name] })
const organization: Row['make'] = async (app, { victim }) => {
  const id = victim.organizationId ?? ''
  const { name, code } = (await (await app.platformOwner()).get(`/api/admin/organizations/${id}`)).body
  return { id, marks: [name, code] }
}
const plan: Row['make'] = async () => ({ id: 'Standard', marks: [] })
const inviteMarked = async (app: TestApp, { boss }: Cast) => {
  const email = `invited.${app.unknownId()}@example.test`
  const { id } = (await boss.post('/api/org/team/invite', { email })).body
  return { id, email }
}
const invitation: Row['make'] = async (app, cast) => {
  const { id, email } = await inviteMarked(app, cast)
  return { id, marks: [email] }
}
/** Verified by the operators, so that no name server is asked. */
const domain: Row['make'] = async (app, { boss }) => {
  const id = `d${app.unknownId()}.example`
  const owner = await app.platformOwner()
  const organization = (await boss.get('/api/org/me')).body.id
  await owner.patch(`/api/admin/organizations/${organization}`, { domains: [id] })
  return { id, marks: [id] }
}
const invitationLink: Row['make'] = async (app, cast) => {
  const { email } = await inviteMarked(app, cast)
  const link = (await app.letterTo(email)).link()
  return { id: new URL(`http://x${link}`).searchParams.get('token') ?? '', marks: [] }
}
const unit =
  (base: string): Row['make'] =>
  async (app, { boss, victim }) => {
    const name = `unit ${app.unknownId()}`
    const { id } = (await boss.post(base, { name, memberIds: [victim.id] })).body
    return { id, marks: [name, victim.id] }
  }
const unitRows = (base: string): Record<string, Row> => ({
  [`GET ${base}/:id`]: { make: unit(base), statuses: withinOrganization },
  [`PATCH ${base}/:id`]: { make: unit(base), body: { name: 'Renamed' }, statuses: onlyBoss },
  [`DELETE ${base}/:id`]: { make: unit(base), statuses: { ...onlyBoss, boss: 204 } },
})
/** A digest that is none: no runtime is asked for it. */
const noBlob: Row['make'] = async () => ({ id: 'sha256', marks: [] })
const admin: Row['make'] = async (app) => {
  const email = `hidden.${app.unknownId()}@example.test`
  const reply = await (await app.platformOwner()).post('/api/admin/auth/accounts', { name: 'Hidden', email, password })
  return { id: reply.body.id, marks: [email] }
}
const mail: Row['make'] = async (app, { victim }) => {
  await app.newcomer().post('/api/auth/forgot-password', { email: victim.email })
  await app.letterTo(victim.email)
  const { body } = await (await app.platformOwner()).get(`/api/admin/outbox?search=${victim.email}`)
  return { id: body.items[0].id, marks: [victim.email, body.items[0].subject] }
}

const heldWork: Row['make'] = async ({ db }, { victim }) => {
  const [job, digest] = ['files.process', randomUUID()]
  const data = { fileId: randomUUID() }
  const mark = `a file of ${victim.email}`
  await db.insertInto('jobDeaths').values({ job, digest, data, singletonKey: null, deaths: 3, waiting: [] }).execute()
  await db
    .insertInto('heldBack')
    .values({
      kind: 'job',
      id: `${job}:${digest}`,
      what: mark,
      scopeId: null,
      claims: 3,
      reason: 'x',
      since: new Date(),
    })
    .execute()
  return { id: 'job', within: `${job}:${digest}`, marks: [mark] }
}

const newChat = async (_app: TestApp, { victim }: Cast) => {
  const messageId = randomUUID()
  const message = { id: messageId, role: 'assistant', content: 'words to hide', parentId: null, childrenIds: [] }
  const history = { currentId: messageId, messages: { [messageId]: message } }
  const chat = { title: 'a title to hide', models: [], messages: [], history }
  const { id } = (await victim.post('/api/v1/chats/new', { chat })).body
  return { id, within: messageId, marks: ['words to hide', 'a title to hide', messageId] }
}
const newShare: Row['make'] = async (app, cast) => {
  const { id, marks } = await newChat(app, cast)
  const { body } = await cast.victim.post(`/api/v1/chats/${id}/share`)
  return { id: body.share_id, marks: [...marks, id] }
}
const sharedChat: Row['make'] = async (app, cast) => {
  const chat = await newChat(app, cast)
  await cast.boss.patch('/api/org/settings', { publicChatLinks: true })
  await cast.victim.post(`/api/v1/chats/${chat.id}/share`)
  return { id: chat.id, marks: chat.marks }
}
const chatWithFile = async (cast: Cast) => {
  const file = (await uploadText(cast.victim, 'a file to hide')).body.id
  const id = randomUUID()
  const files = [{ type: 'file', id: file, name: 'hidden.txt' }]
  const message = { id, role: 'user', content: 'words to hide', parentId: null, childrenIds: [], files }
  const chat = {
    title: 'a title to hide',
    models: [],
    messages: [],
    history: { currentId: id, messages: { [id]: message } },
  }
  const chatId = (await cast.victim.post('/api/v1/chats/new', { chat })).body.id
  const { share_id } = (await cast.victim.post(`/api/v1/chats/${chatId}/share`)).body
  return { chatId, share_id, file, marks: ['a file to hide', 'words to hide', chatId] }
}
const fileOfShare: Row['make'] = async (_app, cast) => {
  const { share_id, file, marks } = await chatWithFile(cast)
  return { id: share_id, within: file, marks }
}
const publicLink: Row['make'] = async (_app, cast) => {
  await cast.boss.patch('/api/org/settings', { publicChatLinks: true })
  const { chatId, file, marks } = await chatWithFile(cast)
  const { body } = await cast.victim.put(`/api/v1/chats/${chatId}/share/public`, {})
  return { id: new URL(body.public_url).pathname.split('/').at(-1) ?? '', within: file, marks }
}
const newImport: Row['make'] = async (_app, { victim }) => {
  const id = randomUUID()
  await victim.post(`/api/v1/chats/import?import_id=${id}`, [])
  return { id, marks: ['finished', 'read_bytes'] }
}
const newFolder: Row['make'] = async (_app, { victim }) => {
  const { body } = await victim.post('/api/v1/folders', { name: 'a folder to hide' })
  return { id: body.id, marks: ['a folder to hide'] }
}
const newPrompt: Row['make'] = async (_app, { victim }) => {
  const command = `hidden-${randomUUID().slice(0, 8)}`
  const { body } = await victim.post('/api/v1/prompts', { command, content: 'a prompt to hide' })
  return { id: body.id, marks: ['a prompt to hide'] }
}
/** A platform admin's credential is none where chats are. */
const onlyOwner = { ...onlySelf, platformOwner: 401, self: 200 }
const chatRow = (body?: unknown): Row => ({
  make: newChat,
  statuses: onlyOwner,
  ...(body === undefined ? {} : { body }),
})
const chatRows: Record<string, Row> = {
  'GET /api/v1/chats/:chatId': chatRow(),
  'POST /api/v1/chats/:chatId': chatRow({ chat: { title: 'taken over' } }),
  'DELETE /api/v1/chats/:chatId': { make: newChat, statuses: { ...onlyOwner, self: 204 } },
  'POST /api/v1/chats/:chatId/pin': chatRow({}),
  'POST /api/v1/chats/:chatId/archive': chatRow({}),
  'POST /api/v1/chats/:chatId/tags': chatRow({ tags: ['stolen'] }),
  'POST /api/v1/chats/:chatId/folder': chatRow({ folder_id: null }),
  'POST /api/v1/chats/:chatId/share': chatRow(),
  'DELETE /api/v1/chats/:chatId/share': { make: newChat, statuses: { ...onlyOwner, self: 204 } },
  'GET /api/v1/chats/:chatId/share': { make: sharedChat, statuses: onlyOwner },
  'PUT /api/v1/chats/:chatId/share/public': { make: sharedChat, body: { show_author: true }, statuses: onlyOwner },
  'DELETE /api/v1/chats/:chatId/share/public': { make: sharedChat, statuses: { ...onlyOwner, self: 204 } },
  'GET /api/v1/chats/share/:shareId/files/:fileId': { make: fileOfShare, statuses: withinOrganization },
  'GET /api/public/chats/:token': { make: publicLink, statuses: everybody },
  'GET /api/public/chats/:token/files/:fileId': { make: publicLink, statuses: everybody },
  'POST /api/v1/chats/:chatId/clone': chatRow({}),
  'GET /api/v1/chats/imports/:importId': { make: newImport, statuses: onlyOwner },
  'GET /api/v1/chats/share/:shareId': { make: newShare, statuses: withinOrganization },
  'POST /api/v1/chats/share/:shareId/clone': { make: newShare, body: {}, statuses: withinOrganization },
  'POST /api/v1/chats/:chatId/messages/:messageId/event': {
    make: newChat,
    body: { type: 'status', data: { description: 'looking', done: true } },
    statuses: { ...onlyOwner, platformOwner: 200 },
  },
  'DELETE /api/v1/chats/:chatId/messages/:messageId': {
    make: newChat,
    statuses: { ...onlyOwner, self: 204 },
  },
  'PUT /api/v1/chats/:chatId/messages/:messageId/rating': {
    make: newChat,
    body: { rating: 'bad', reason: 'stolen' },
    statuses: { ...onlyOwner, self: 204 },
  },
  'DELETE /api/v1/chats/:chatId/messages/:messageId/rating': { make: newChat, statuses: { ...onlyOwner, self: 204 } },
  'PUT /api/v1/prompts/:promptId': {
    make: newPrompt,
    body: { command: 'hidden', content: 'taken over' },
    statuses: onlyOwner,
  },
  'DELETE /api/v1/prompts/:promptId': { make: newPrompt, statuses: { ...onlyOwner, self: 204 } },
  'PATCH /api/v1/folders/:folderId': { make: newFolder, body: { name: 'Renamed' }, statuses: onlyOwner },
  'DELETE /api/v1/folders/:folderId': { make: newFolder, statuses: { ...onlyOwner, self: 204 } },
}
const chatWithReply: Row['make'] = async (_app, { victim }) => {
  const chat = await prepareChat(victim, { question: 'a question to hide', model: 'guide' })
  await victim.post('/api/chat/completions', { model: 'guide', ...chat.body })
  return { id: chat.chatId, within: chat.messageId, marks: [chat.messageId, 'a question to hide'] }
}
/** A reply under way on another node, which ends it when it is told to. */
const replyTask: Row['make'] = async (app, { victim }) => {
  const { chatId, messageId } = await prepareChat(victim, { model: 'guide' })
  const [id, nodeId, at] = [app.unknownId(), app.unknownId(), app.clock.now()]
  const task = { id, chatId, messageId, userId: victim.id, nodeId, beatAt: at, startedAt: at }
  await app.db.insertInto('replyTasks').values(task).execute()
  const signals = createSignals(app.databaseUrl, createLog('silent'))
  const listening = Promise.withResolvers<void>()
  signals.on(stopTopic, (stopped) => {
    if (stopped === undefined) listening.resolve()
    else if (stopped === id) void app.db.deleteFrom('replyTasks').where('id', '=', id).execute()
  })
  signals.start()
  atEnd(signals.stop)
  await listening.promise
  return { id, marks: [chatId, messageId] }
}

const usageLimit: Row['make'] = async (_app, { boss, victim }) => {
  const body = { subject_type: 'user', subject_id: victim.id, tokens_per_day: 31_415_926 }
  const { id } = (await boss.post('/api/v1/usage/limits', body)).body
  return { id, marks: [victim.id, victim.name, '31415926'] }
}
/** Of somebody outside every organization: the platform's affair alone. */
const lonersLimit: Row['make'] = async (app, { platformOwner }) => {
  const loner = await app.user()
  const body = { subject_type: 'user', subject_id: loner.id, tokens_per_day: 31_415_926 }
  const { id } = (await platformOwner.post('/api/v1/usage/limits', body)).body
  return { id, marks: [loner.id, '31415926'] }
}

const connection: Row['make'] = async (app) => {
  const body = { type: 'compat', name: `hidden ${app.unknownId()}`, url: 'http://127.0.0.1:1/hidden', enabled: false }
  const { id } = (await (await app.platformOwner()).post('/api/v1/connections', body)).body
  return { id, marks: [body.name, body.url] }
}

/** An event that somebody of the victim's organization published with their own key. */
const busEvent: Row['make'] = async (app, { victim }) => {
  const { key } = (await victim.post('/api/v1/api-keys', { name: 'publisher' })).body
  const body = { event_type: 'hidden_event', correlation_id: 'a process to hide', payload: { text: 'words to hide' } }
  const reply = await app.newcomer().post('/api/v1/events/ingest', body, { 'x-api-key': key })
  return { id: reply.body.event_id, marks: ['hidden_event', 'a process to hide', 'words to hide'] }
}
/** Of somebody outside every organization. */
const deadLetter: Row['make'] = async (app, cast) => {
  const loner = await app.user()
  const { id: eventId, marks } = await busEvent(app, { ...cast, victim: loner })
  const { seq } = await app.db
    .selectFrom('events')
    .select('seq')
    .where('eventId', '=', eventId)
    .executeTakeFirstOrThrow()
  const [id, failedAt, error] = [app.unknownId(), app.clock.now(), 'an error to hide']
  await app.db
    .insertInto('eventDeadLetters')
    .values({ id, eventId, seq, scopeId: loner.id, error, attempts: 8, failedAt })
    .execute()
  return { id, marks: [...marks, error] }
}
/** Members do not look after what failed; administrators do, each for their own company. */
const lonersLetter = { ...onlyBoss, boss: 404, platformOwner: 204 }
const eventRows: Record<string, Row> = {
  'GET /api/v1/events/:eventId': { make: busEvent, statuses: { ...withinOrganization, platformOwner: 404 } },
  'GET /api/v1/events/:eventId/deliveries': { make: busEvent, statuses: { ...withinOrganization, platformOwner: 404 } },
  'POST /api/v1/events/dead-letters/:id/retry': { make: deadLetter, statuses: lonersLetter },
  'DELETE /api/v1/events/dead-letters/:id': { make: deadLetter, statuses: lonersLetter },
}

const workflow: Row['make'] = async (app, { victim }) => {
  const name = `workflow ${app.unknownId()}`
  const { id } = (await victim.post('/api/v1/agent-workflows', { name, graph: chain('hidden', 'node') })).body
  const { body } = await victim.post(`/api/v1/agent-workflows/${id}/snapshot`, { notes: 'notes to hide' })
  return { id, within: body.id, marks: [name, body.id, 'Node hidden', 'notes to hide'] }
}
const stagedWorkflow: Row['make'] = async (app, cast) => {
  const made = await workflow(app, cast)
  await cast.victim.post(`/api/v1/agent-workflows/${made.id}/submit`)
  return made
}
/** A run that ended in failure, and one that waits for somebody's word. */
const runOf =
  (only: GraphNode, isThere: (run: Run) => boolean): Row['make'] =>
  async (app, { victim, boss }) => {
    const name = `workflow ${app.unknownId()}`
    const { id: workflowId } = (await victim.post(workflowsPath, { name, graph: { nodes: [only], edges: [] } })).body
    await publishWorkflow(victim, workflowId, boss)
    const { id } = (await startByHand(victim, workflowId, 'input to hide')).body
    const { steps } = await runWhere(victim, id, isThere)
    return { id, within: steps[0]?.id ?? '', marks: [name, 'input to hide'] }
  }
const failedRun = runOf(node('wrong', { fields: { x: '1 / 0' } }), ({ status }) => status === 'failed')
const waitingRun = runOf(node('ask', { title: 'Go on?' }, 'approval'), ({ status }) => status === 'waiting')
const publishedWorkflow: Row['make'] = async (app, cast) => {
  const made = await workflow(app, cast)
  await publishWorkflow(cast.victim, made.id, cast.boss)
  return made
}
const eventTrigger: Row['make'] = async (app, cast) => {
  const event = await busEvent(app, cast)
  const { id, marks } = await publishedWorkflow(app, cast)
  const trigger = { name: 'A trigger to hide', event_type: 'hidden_event' }
  const { body } = await cast.victim.post(`${workflowsPath}/${id}/triggers/event`, trigger)
  return { id, within: body.id, body: { event_id: event.id }, marks }
}
const begun = { ...withinOrganization, colleague: 202, self: 202, boss: 202 }
const runRows: Record<string, Row> = {
  'GET /api/v1/agent-workflows/:id/runs': { make: workflow, statuses: withinOrganization },
  'POST /api/v1/agent-workflows/:id/runs': { make: publishedWorkflow, isHarmless: true, statuses: begun },
  'POST /api/v1/agent-workflows/:id/test-runs': { make: workflow, statuses: begun },
  'GET /api/v1/agent-runs/:runId/graph': { make: failedRun, statuses: withinOrganization },
  'GET /api/v1/agent-runs/:runId': { make: failedRun, statuses: withinOrganization },
  'GET /api/v1/agent-runs/:runId/steps/:stepId/model-calls': { make: failedRun, statuses: withinOrganization },
  'GET /api/v1/agent-runs/:runId/stream': { make: failedRun, statuses: withinOrganization },
  'POST /api/v1/agent-runs/:runId/cancel': { make: waitingRun, isUsedUp: true, statuses: withinOrganization },
  'POST /api/v1/agent-runs/:runId/replay': { make: failedRun, isHarmless: true, statuses: begun },
  'POST /api/v1/agent-workflows/:id/replay': {
    make: publishedWorkflow,
    isHarmless: true,
    body: { preview: true },
    statuses: withinOrganization,
  },
  'POST /api/v1/agent-runs/:runId/retry': { make: failedRun, statuses: begun, isUsedUp: true },
  'POST /api/v1/agent-runs/:runId/approvals/:stepId': {
    make: waitingRun,
    body: { approved: true },
    statuses: { ...onlyBoss, colleague: 404, self: 404 },
  },
}
const catalog: Row['make'] = async (app, { victim }) => {
  const name = `catalog ${app.unknownId()}`
  const entry = {
    name: 'entry to hide',
    type: 'compat',
    url: 'https://hidden.example',
    key: 'sk-hidden',
    model_ids: [],
  }
  const { id } = (await victim.post('/api/v1/catalogs', { name, entries: [entry] })).body
  return { id, marks: [name, 'entry to hide', 'hidden.example', 'sk-hidden'] }
}
const credential: Row['make'] = async (app, { victim }) => {
  const name = `credential ${app.unknownId()}`
  const body = { name, kind: 'basic', url: 'https://hidden.example', username: 'user-to-hide', secret: 'word-to-hide' }
  const { id } = (await victim.post('/api/v1/http-credentials', body)).body
  return { id, marks: [name, 'hidden.example', 'user-to-hide', 'word-to-hide'] }
}
const space: Row['make'] = async (app, { victim }) => {
  const name = `space ${app.unknownId()}`
  const { id } = (await victim.post('/api/v1/spaces', { name })).body
  return { id, marks: [name] }
}
const deleted = { ...withinOrganization, colleague: 204, self: 204, boss: 204 }
const workflowRow = (body?: unknown): Row => ({
  make: workflow,
  statuses: withinOrganization,
  ...(body === undefined ? {} : { body }),
})
const webhook: Row['make'] = async (app, cast) => {
  const { id, marks } = await workflow(app, cast)
  const name = `webhook ${app.unknownId()}`
  const { body } = await cast.victim.post(`/api/v1/agent-workflows/${id}/triggers/webhook`, { name })
  return { id, within: body.id, marks: [...marks, name, body.url, body.secret] }
}
const unsigned = { ...none, stranger: 401, colleague: 401, boss: 401, self: 401, platformOwner: 401 }
const made = { ...withinOrganization, colleague: 201, self: 201, boss: 201 }
const triggerPath = '/api/v1/agent-workflows/:id/triggers'
const triggerRows: Record<string, Row> = {
  [`GET ${triggerPath}`]: { make: webhook, statuses: withinOrganization },
  [`POST ${triggerPath}/event`]: {
    make: publishedWorkflow,
    body: { name: 'New', event_type: 'order_created' },
    statuses: made,
  },
  [`POST ${triggerPath}/event/test`]: workflowRow({ filter_expr: 'True' }),
  [`POST ${triggerPath}/cron`]: { make: workflow, body: { name: 'New', cron: '0 4 * * *' }, statuses: made },
  [`POST ${triggerPath}/cron/test`]: workflowRow({ cron: '0 4 * * *' }),
  [`POST ${triggerPath}/webhook`]: { make: workflow, body: { name: 'New' }, statuses: made },
  [`POST ${triggerPath}/:triggerId/replay`]: { make: eventTrigger, statuses: begun },
  [`PATCH ${triggerPath}/:triggerId`]: { make: webhook, body: { name: 'Renamed' }, statuses: withinOrganization },
  [`DELETE ${triggerPath}/:triggerId`]: { make: webhook, isUsedUp: true, statuses: deleted },
  // Nobody gets in without a signature.
  'POST /api/public/hooks/:token': { make: noProvider, statuses: unsigned },
}
const workflowRows: Record<string, Row> = {
  'GET /api/v1/agent-workflows/:id': workflowRow(),
  'PUT /api/v1/agent-workflows/:id': workflowRow({ name: 'Renamed' }),
  'DELETE /api/v1/agent-workflows/:id': { make: workflow, isUsedUp: true, statuses: deleted },
  'GET /api/v1/agent-workflows/:id/export': workflowRow(),
  'POST /api/v1/agent-workflows/:id/submit': { make: workflow, isUsedUp: true, statuses: withinOrganization },
  'POST /api/v1/agent-workflows/:id/approve': { make: stagedWorkflow, statuses: onlyBoss },
  'PUT /api/v1/agent-workflows/:id/run-as': { make: workflow, body: { user_id: null }, statuses: onlyBoss },
  'POST /api/v1/agent-workflows/:id/reject': { make: stagedWorkflow, body: { notes: 'no' }, statuses: onlyBoss },
  'GET /api/v1/agent-workflows/:id/versions': workflowRow(),
  'GET /api/v1/agent-workflows/:id/versions/:version': workflowRow(),
  'GET /api/v1/agent-workflows/:id/versions/:a/diff/:b': workflowRow(),
  'POST /api/v1/agent-workflows/:id/snapshot': {
    make: workflow,
    statuses: { ...withinOrganization, colleague: 201, boss: 201, self: 201 },
  },
  'GET /api/v1/agent-workflows/:id/stats': workflowRow(),
  'POST /api/v1/agent-workflows/:id/rollback': workflowRow({ version_id: '1' }),
  'POST /api/v1/agent-workflows/:id/rollback-and-publish': {
    make: publishedWorkflow,
    body: { version_id: '1' },
    statuses: onlyBoss,
  },
  'GET /api/v1/catalogs/:id': { make: catalog, statuses: withinOrganization },
  'PATCH /api/v1/catalogs/:id': { make: catalog, body: { name: 'Renamed' }, statuses: withinOrganization },
  'DELETE /api/v1/catalogs/:id': { make: catalog, isUsedUp: true, statuses: deleted },
  'GET /api/v1/http-credentials/:id': { make: credential, statuses: withinOrganization },
  'PATCH /api/v1/http-credentials/:id': { make: credential, body: { name: 'Renamed' }, statuses: withinOrganization },
  'DELETE /api/v1/http-credentials/:id': { make: credential, isUsedUp: true, statuses: deleted },
  'GET /api/v1/spaces/:id': { make: space, statuses: withinOrganization },
  'PATCH /api/v1/spaces/:id': { make: space, body: { name: 'Renamed' }, statuses: withinOrganization },
  'DELETE /api/v1/spaces/:id': { make: space, isUsedUp: true, statuses: deleted },
}

const file: Row['make'] = async (app, { victim }) => {
  const name = `file-${app.unknownId()}.txt`
  const { body } = await uploadText(victim, 'words to hide', { name, query: 'process_in_background=false' })
  return { id: body.id, marks: [name, 'words to hide', body.hash] }
}
/** A platform admin may have files too, but not see those of others. */
const onlyFileOwner = { ...onlySelf, self: 200 }
const fileRows: Record<string, Row> = {
  'GET /api/v1/files/:id': { make: file, statuses: onlyFileOwner },
  'GET /api/v1/files/:id/content': { make: file, statuses: onlyFileOwner },
  'GET /api/v1/files/:id/data/content': { make: file, statuses: onlyFileOwner },
  'GET /api/v1/files/:id/process/status': { make: file, statuses: onlyFileOwner },
  'POST /api/v1/files/:id/process': { make: file, statuses: onlyFileOwner },
  'POST /api/v1/files/:id/process/cancel': { make: file, statuses: onlyFileOwner },
  'DELETE /api/v1/files/:id': { make: file, statuses: { ...onlyFileOwner, self: 204 } },
}

const pluginOf =
  (tree: 'functions' | 'tools', name: string, source: string): Row['make'] =>
  async (app, { platformOwner }) => {
    const id = `p${app.unknownId().replaceAll('-', '')}`
    const body = { id, name: 'a plugin to hide', content: source, is_active: true }
    const reply = await platformOwner.post(`/api/v1/${tree}/create`, body)
    if (reply.status !== 201) throw new Error(`making the ${name} failed: ${reply.text}`)
    return { id, marks: [] }
  }
const settings = "static Valves = { a: { type: 'string' } }; static UserValves = { b: { type: 'string' } }"
const filter = pluginOf('functions', 'filter', `export class Filter { ${settings}; inlet(body) { return body } }`)
const tool = pluginOf('tools', 'tool', `export class Tools { ${settings}; look() { return 'seen' } }`)
const action = pluginOf('functions', 'action', `export class Action { action() { return 'done' } }`)
/** Everybody's own settings of what the instance has. */
const everyUser = { ...none, stranger: 200, colleague: 200, boss: 200, self: 200, platformOwner: 401 }
const pluginRowsOf = (tree: 'functions' | 'tools', make: Row['make'], method: string): Record<string, Row> => {
  const path = `/api/v1/${tree}/id/:plugin`
  return {
    [`GET ${path}`]: { make, statuses: onlyPlatform },
    [`POST ${path}/update`]: { make, isHarmless: true, body: { name: 'Renamed' }, statuses: onlyPlatform },
    [`DELETE ${path}/delete`]: { make, statuses: { ...onlyPlatform, platformOwner: 204 } },
    [`POST ${path}/toggle`]: { make, statuses: onlyPlatform },
    [`GET ${path}/logs`]: { make, statuses: onlyPlatform },
    [`POST ${path}/try`]: { make, isHarmless: true, body: { method, args: {} }, statuses: onlyPlatform },
    [`GET ${path}/valves`]: { make, statuses: onlyPlatform },
    [`GET ${path}/valves/spec`]: { make, statuses: onlyPlatform },
    [`POST ${path}/valves/update`]: { make, isHarmless: true, body: { valves: { a: 'x' } }, statuses: onlyPlatform },
    [`GET ${path}/valves/user`]: { make, statuses: everyUser },
    [`GET ${path}/valves/user/spec`]: { make, statuses: everyUser },
    [`POST ${path}/valves/user/update`]: { make, isHarmless: true, body: { valves: { b: 'x' } }, statuses: everyUser },
  }
}
/** A server where each person signs in, which none of them may use. */
const closedServer: Row['make'] = async (app, { platformOwner }) => {
  const id = `s${app.unknownId().replaceAll('-', '').slice(0, 30)}`
  const item = { id, type: 'mcp', name: 'a server to hide', url: 'http://127.0.0.1:9/mcp', auth_type: 'oauth_2.1' }
  const items = [{ ...item, access_grants: [] }]
  const reply = await platformOwner.post('/api/v1/configs/tool_servers', { items })
  if (reply.status !== 200) throw new Error(`making the tool server failed: ${reply.text}`)
  return { id, marks: [] }
}
const noUser = { ...none, stranger: 404, colleague: 404, boss: 404, self: 404, platformOwner: 401 }
const pluginRows: Record<string, Row> = {
  'DELETE /api/v1/tools/connections/:server': { make: closedServer, statuses: noUser },
  'POST /api/v1/tools/servers/:server/resource': { make: closedServer, body: { uri: 'a:b' }, statuses: noUser },
  'POST /api/v1/tools/servers/:server/prompt': { make: closedServer, body: { name: 'a' }, statuses: noUser },
  'GET /oauth/clients/:server/authorize': { make: closedServer, statuses: noUser },
  'GET /oauth/clients/:server/callback': { make: closedServer, statuses: noUser },
  ...pluginRowsOf('functions', filter, 'inlet'),
  ...pluginRowsOf('tools', tool, 'look'),
  'POST /api/v1/functions/id/:plugin/toggle/global': { make: filter, statuses: onlyPlatform },
  'POST /api/chat/actions/:plugin': { make: action, body: { model: 'm', messages: [] }, statuses: everyUser },
}

const collection: Row['make'] = async (app, cast) => {
  const name = `collection ${app.unknownId()}`
  const { id } = (await cast.victim.post('/api/v1/knowledge/create', { name, description: 'a description to hide' }))
    .body
  const { id: fileId, marks } = await file(app, cast)
  await cast.victim.post(`/api/v1/knowledge/${id}/file/add`, { file_id: fileId })
  return { id, marks: [name, 'a description to hide', ...marks] }
}
/** Administrators of the platform may look after every collection; their own files are others. */
const collectionRow = (more: Partial<Row> = {}): Row => ({
  make: collection,
  statuses: { ...onlySelf, self: 200, platformOwner: 200 },
  ...more,
})
const missingFile = { body: { file_id: randomUUID() }, statuses: { ...onlySelf, self: 404 } }
const knowledgePath = '/api/v1/knowledge/:id'
/** An address that is never reached. */
const crawlBody = { url: 'http://192.0.2.1/' }
const crawledCollection: Row['make'] = async (app, cast) => {
  const made = await collection(app, cast)
  await cast.victim.post(`/api/v1/knowledge/${made.id}/crawls`, crawlBody)
  return made
}
const knowledgeRows: Record<string, Row> = {
  'GET /api/v1/retrieval/files/:id/chunks': { make: file, statuses: onlyFileOwner },
  [`GET ${knowledgePath}`]: collectionRow(),
  [`POST ${knowledgePath}/update`]: collectionRow({ body: { name: 'Renamed' } }),
  [`POST ${knowledgePath}/file/add`]: collectionRow(missingFile),
  [`POST ${knowledgePath}/file/remove`]: collectionRow(missingFile),
  [`POST ${knowledgePath}/sync`]: collectionRow({ body: { files: [] } }),
  [`POST ${knowledgePath}/reindex`]: collectionRow({ statuses: { ...onlySelf, self: 202, platformOwner: 202 } }),
  [`POST ${knowledgePath}/reset`]: collectionRow(),
  [`GET ${knowledgePath}/crawls`]: collectionRow({ make: crawledCollection }),
  [`POST ${knowledgePath}/crawls`]: collectionRow({
    body: crawlBody,
    isUsedUp: true,
    statuses: { ...onlySelf, self: 202, platformOwner: 403 },
  }),
  [`POST ${knowledgePath}/crawls/cancel`]: collectionRow({ statuses: { ...onlySelf, self: 404, platformOwner: 404 } }),
  [`DELETE ${knowledgePath}/delete`]: collectionRow({
    isUsedUp: true,
    statuses: { ...onlySelf, self: 204, platformOwner: 204 },
  }),
}

export const matrix: Record<string, Row> = {
  ...pluginRows,
  ...fileRows,
  ...signingRows,
  ...knowledgeRows,
  ...workflowRows,
  ...triggerRows,
  ...runRows,
  ...eventRows,
  'GET /api/v1/connections/:id': { make: connection, statuses: onlyPlatform },
  'PATCH /api/v1/connections/:id': { make: connection, body: { name: 'Renamed' }, statuses: onlyPlatform },
  'DELETE /api/v1/connections/:id': { make: connection, statuses: { ...onlyPlatform, platformOwner: 204 } },
  ...chatRows,
  'DELETE /api/auth/sessions/:id': { make: newSession, statuses: { ...onlySelf, platformOwner: 401, self: 204 } },
  'DELETE /api/admin/auth/sessions/:id': {
    make: adminSession,
    statuses: { ...onlyPlatform, platformOwner: 404 },
  },
  ...providerRows,
  ...factorRows,
  ...scimRows,
  'PATCH /api/v1/memories/:id': {
    make: memory,
    body: { content: 'another fact' },
    statuses: { ...onlySelf, platformOwner: 401, self: 200 },
    isUsedUp: true,
  },
  'DELETE /api/v1/memories/:id': { make: memory, statuses: { ...onlySelf, platformOwner: 401, self: 204 } },
  'DELETE /api/v1/api-keys/:id': { make: newKey, statuses: { ...onlySelf, self: 204 } },
  'POST /api/admin/auth/accounts/:id/reset-factors': {
    make: admin,
    statuses: { ...onlyPlatform, platformOwner: 204 },
  },
  'PATCH /api/admin/auth/accounts/:id': { make: admin, body: { active: false }, statuses: onlyPlatform },
  'GET /api/admin/users/:id': { make: user, statuses: onlyPlatform },
  'PATCH /api/admin/users/:id': {
    make: user,
    body: { status: 'DEACTIVATED' },
    statuses: onlyPlatform,
    changesPeople: true,
  },
  'GET /api/admin/organizations/:id': { make: organization, statuses: onlyPlatform },
  'PATCH /api/admin/organizations/:id': {
    make: organization,
    body: { plan: 'X' },
    statuses: onlyPlatform,
    changesPeople: true,
  },
  'GET /api/admin/organizations/:id/quotas': { make: organization, statuses: onlyPlatform },
  'PUT /api/admin/organizations/:id/quotas': { make: organization, body: { limits: {} }, statuses: onlyPlatform },
  'GET /api/admin/plans/:plan/quotas': { make: plan, statuses: onlyPlatform },
  'PUT /api/admin/plans/:plan/quotas': { make: plan, body: { limits: {} }, statuses: onlyPlatform },
  'GET /api/admin/groups/:id': { make: unit('/api/org/groups'), statuses: onlyPlatform },
  'DELETE /api/admin/users/:id': { make: user, statuses: { ...onlyPlatform, platformOwner: 204 }, changesPeople: true },
  'GET /api/admin/users/:id/sign-ins': { make: user, statuses: onlyPlatform },
  'PUT /api/org/team/:userId/role': {
    make: user,
    body: { role: 'ROLE_USER' },
    statuses: onlyBoss,
    changesPeople: true,
  },
  'POST /api/org/team/:userId/deactivate': { make: user, statuses: onlyBoss, changesPeople: true },
  'POST /api/org/team/:userId/reset-factors': { make: user, statuses: onlyBoss, changesPeople: true },
  'POST /api/org/team/:userId/reactivate': { make: user, statuses: onlyBoss, changesPeople: true },
  'POST /api/org/team/invitations/:id/resend': { make: invitation, statuses: onlyBoss },
  'POST /api/org/team/invitations/:id/link': { make: undelivered(invitation), statuses: onlyBoss },
  'DELETE /api/org/team/invitations/:id': { make: invitation, statuses: { ...onlyBoss, boss: 204 } },
  'GET /api/auth/invite/:token': { make: invitationLink, statuses: everybody },
  'POST /api/org/domains/:domain/verify': { make: domain, statuses: onlyBoss, changesPeople: true },
  'DELETE /api/org/domains/:domain': { make: domain, statuses: { ...onlyBoss, boss: 204 }, changesPeople: true },
  ...unitRows('/api/org/groups'),
  ...unitRows('/api/org/departments'),
  'GET /oauth/:provider/login': { make: noProvider, statuses: nobodyAtAll },
  'GET /oauth/:provider/callback': { make: noProvider, statuses: nobodyAtAll },
  'PATCH /api/v1/usage/limits/:id': {
    make: usageLimit,
    changesPeople: true,
    body: { tokens_per_month: 9 },
    statuses: { ...onlyBoss, platformOwner: 200 },
  },
  'DELETE /api/v1/usage/limits/:id': { make: lonersLimit, statuses: { ...onlyBoss, boss: 404, platformOwner: 204 } },
  'GET /upstream/api/blobs/:digest': { make: noBlob, statuses: { ...onlyPlatform, platformOwner: 404 } },
  'POST /upstream/api/blobs/:digest': { make: noBlob, statuses: { ...onlyPlatform, platformOwner: 404 } },
  'GET /api/admin/outbox/:id': { make: mail, statuses: onlyPlatform },
  'POST /api/admin/held-back/:kind/:work/release': {
    make: heldWork,
    isUsedUp: true,
    statuses: { ...onlyPlatform, platformOwner: 204 },
  },
  'DELETE /api/admin/held-back/:kind/:work': {
    make: heldWork,
    isUsedUp: true,
    statuses: { ...onlyPlatform, platformOwner: 204 },
  },
  'GET /api/tasks/chat/:chatId': { make: chatWithReply, statuses: { ...onlySelf, self: 200 } },
  'POST /api/tasks/chat/:chatId/stop': { make: chatWithReply, statuses: { ...onlySelf, self: 200 } },
  'POST /api/tasks/stop/:taskId': {
    make: replyTask,
    isUsedUp: true,
    statuses: { ...onlySelf, self: 200, platformOwner: 200 },
  },
  'GET /api/v1/chats/:chatId/messages/:messageId/stream': {
    make: chatWithReply,
    statuses: { ...onlySelf, self: 200 },
  },
}

/** Everybody fresh. */
export const castFor = async (app: TestApp): Promise<Cast> => {
  const org = `org ${app.unknownId()}`
  const boss = await app.user({ org })
  const victim = await app.user({ org, name: `Victim ${app.unknownId()}` })
  const gone = await app.user({ org, role: 'ROLE_ORG_ADMIN' })
  const platformOwner = await app.platformOwner()
  await platformOwner.patch(`/api/admin/users/${gone.id}`, { status: 'DEACTIVATED' })
  const stranger = await app.user({ org: `org ${app.unknownId()}` })
  const colleague = await app.user({ org })
  const deactivated = createClient(app.url, bearer(gone.token))
  return { victim, nobody: app.newcomer(), stranger, colleague, boss, deactivated, platformOwner, self: victim }
}
