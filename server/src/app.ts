/** The composition root: the kernel first, then the modules, floor by floor. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Children } from '#kernel/child/index.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Computing } from '#kernel/compute/index.ts'
import type { Secrets } from '#kernel/config/secrets.ts'
import { createKernel } from '#kernel/create-kernel.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Failpoints } from '#kernel/failpoints.ts'
import type { Patience } from '#kernel/http/connections.ts'
import { retireServer } from '#kernel/http/retire-server.ts'
import type { Route } from '#kernel/http/route.ts'
import { createHttpServer } from '#kernel/http/server.ts'
import { type Ids, systemIds } from '#kernel/ids.ts'
import type { Module } from '#kernel/kernel.ts'
import type { Log } from '#kernel/log.ts'
import type { Machine } from '#kernel/process/machine.ts'
import { stopEach } from '#kernel/stop-each.ts'
import { createAccounts } from '#modules/accounts/index.ts'
import { createAudio } from '#modules/audio/index.ts'
import { createChats } from '#modules/chats/index.ts'
import { type Completions, createCompletions } from '#modules/completions/index.ts'
import { createDemo, type Demo } from '#modules/demo/index.ts'
import { createEventBus, type EventBus } from '#modules/event-bus/index.ts'
import { createFiles } from '#modules/files/index.ts'
import { createIdentityProviders } from '#modules/identity-providers/index.ts'
import { createImages } from '#modules/images/index.ts'
import { createKnowledge } from '#modules/knowledge/index.ts'
import { createLdap } from '#modules/ldap/index.ts'
import { createMemory } from '#modules/memory/index.ts'
import { createMessagesFormat } from '#modules/messages-format/index.ts'
import { createModels } from '#modules/models/index.ts'
import { createMonitoring } from '#modules/monitoring/index.ts'
import { createOauth, type WellKnown } from '#modules/oauth/index.ts'
import { createFindLoginPolicy, createOrganizations } from '#modules/organizations/index.ts'
import { createPdfWork } from '#modules/pdf/index.ts'
import { createPlatformAdmin } from '#modules/platform-admin/index.ts'
import { createPlugins } from '#modules/plugins/index.ts'
import { createRealtime } from '#modules/realtime/index.ts'
import { createRuns, findRunProgressUnscoped, type Runs } from '#modules/runs/index.ts'
import { createScim } from '#modules/scim/index.ts'
import { createSettings } from '#modules/settings/index.ts'
import { createSigning, eventTypes, sumBytesUnscoped } from '#modules/signing/index.ts'
import { createSso, readSsoSettings } from '#modules/sso/index.ts'
import { createToolServers } from '#modules/tool-servers/index.ts'
import { createTools, type Tools } from '#modules/tools/index.ts'
import { createUpstream } from '#modules/upstream/index.ts'
import { createUsage } from '#modules/usage/index.ts'
import { createWebhooks } from '#modules/webhooks/index.ts'
import { createDefinitions, createWorkflows, findWorkflowNamesUnscoped, mailPaused } from '#modules/workflows/index.ts'
import type { Config } from './config/config.ts'
import { createFactors } from './modules/factors/index.ts'

interface Timings {
  /** Between writes of recorded usage. */
  usageFlushMs?: number
  /** Between writes of a reply under way. */
  replySaveMs?: number
  /** A streamed reply sends its head after waiting this long for the model. */
  streamSilenceMs?: number
  /** Between checks of the logins of sockets. */
  socketCheckMs?: number
  /** A request waits this long for the models of a connection. */
  modelListMs?: number
  /** Between two pages of a crawl. */
  crawlDelayMs?: number
  /** Calls of runs that last longer hold no slot. */
  slowCallMs?: number
}

export interface AppOptions {
  config: Config
  secrets: Secrets
  databaseUrl: string
  log: Log
  clock?: Clock
  ids?: Ids
  /** The cost of a password hash; tests make it cheap. */
  passwordCost?: number
  /** Hold every reply against its schema; tests do, development does. */
  checksReplies?: boolean
  /** For how long a client may take nothing of what it is sent; tests have less time. */
  readerPatienceMs?: number
  /** When connections are closed; tests have less time. */
  patience?: Partial<Patience>
  /** Instead of SVC_DRAIN_SECONDS. */
  drainMs?: number
  /** Milliseconds that only ever grow; tests move them along with their clock. */
  monotonicMs?: () => number
  /** Intervals and waits of the modules; tests have less time. */
  timings?: Timings
  /** The addresses of Google and Microsoft; tests use others. */
  oauthEndpoints?: WellKnown
  /** Tests share child processes between apps. */
  children?: Children
  /** The other servers of this machine; none unless told. */
  machine?: Machine
  /** As the server itself does: who blocks the event loop is logged. */
  watchesLoop?: boolean
  /** And computing threads. */
  computing?: Computing
  /** Places where tests crash the process. */
  failpoints?: Failpoints
}

export interface App {
  /** The URL it listens on. */
  address: string
  /** All declared routes: tests walk them. */
  routes: readonly Route[]
  db: Db
  /** Modules whose ports tests fill with filters, tools and retrievers of their own. */
  ports: {
    completions: Completions
    tools: Tools
    eventBus: EventBus
    runs: Runs
    workflows: Module
    signing: Module
    webhooks: Module
  }
  demo: Pick<Demo, 'fill' | 'remove'>
  isSetUp(): Promise<boolean>
  /** Stops taking requests, lets running ones and jobs finish, closes everything. `isReplaced` by another server. */
  stop(how?: { isReplaced: boolean }): Promise<void>
}

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const startApp = async (options: AppOptions): Promise<App> => {
  const given = {
    ids: systemIds,
    passwordCost: 12,
    checksReplies: false,
    ...options,
  }
  const { kernel, start, beginStop, stop } = await createKernel({ ...given, migrationsDir: folder('../migrations') })
  const { blobs, config, db, ids, limits, log } = kernel
  const { monotonicMs, timings = {} } = options
  const stopping = new AbortController()
  let isServing = true

  const settings = await createSettings({ kernel })
  const accounts = createAccounts({ kernel, findLoginPolicy: createFindLoginPolicy(kernel) })

  const ssoSettings = readSsoSettings(config, kernel.externalUrl)
  const organizations = createOrganizations({ kernel, accounts, isSsoAvailable: ssoSettings !== undefined })
  const realtime = createRealtime({ kernel, accounts, revalidateEveryMs: timings.socketCheckMs })
  const files = createFiles({
    kernel,
    accounts,
    storageLimit: async (on, id) => (await organizations.findLimitsUnscoped(on, id)).storageBytes,
    storageUses: [sumBytesUnscoped],
  })
  organizations.registerUsage(async (on, id) => ({ storageBytes: await files.countStorageUnscoped(on, id) }))

  const factors = createFactors({ kernel, accounts })
  const platformAdmin = createPlatformAdmin({ kernel, accounts, factors, organizations, settings })
  // Before the instance's own: the first that claims an address signs it in.
  const identityProviders = createIdentityProviders({
    kernel,
    accounts,
    organizations,
    isSsoAvailable: ssoSettings !== undefined,
  })
  const sso = createSso({ kernel, accounts, organizations, settings: ssoSettings })
  const ldap = createLdap({ kernel, accounts, organizations })
  const scim = createScim({ kernel, accounts, organizations })
  const oauth = createOauth({ kernel, accounts, organizations, settings, endpoints: options.oauthEndpoints })
  const usage = await createUsage({ kernel, accounts, organizations, flushEveryMs: timings.usageFlushMs })
  const models = await createModels({
    kernel,
    accounts,
    organizations,
    realtime,
    meter: usage.meter,
    maxWaitMs: timings.modelListMs,
  })
  const tools = createTools({ kernel, settings, realtime })
  const chats = createChats({ kernel, accounts, files, organizations, realtime })

  const webhooks = createWebhooks({ kernel, accounts, organizations, types: eventTypes })

  const completions = createCompletions({
    kernel,
    models,
    tools,
    chats,
    realtime,
    settings,
    readImage: files.readImage,
    saveEveryMs: timings.replySaveMs,
    silenceMs: timings.streamSilenceMs,
  })
  const eventBus = createEventBus({
    kernel,
    settings,
    organizations,
    findWorkflowNames: findWorkflowNamesUnscoped,
    findRunProgress: findRunProgressUnscoped,
    onPaused: mailPaused(kernel),
  })
  const audio = createAudio({ kernel, settings, models, files })

  const toolServers = await createToolServers({ kernel, accounts, organizations, realtime, files, tools })

  const pdfWork = await createPdfWork({ kernel, organizations })
  const signing = createSigning({
    kernel,
    accounts,
    organizations,
    tools,
    webhooks,
    bus: eventBus,
    pdfWork,
    files,
    completions,
  })
  const upstream = createUpstream({ kernel, models, completions, silenceMs: timings.streamSilenceMs })
  const memory = createMemory({ kernel, tools, completions })
  const images = createImages({ kernel, files, models, settings, tools, completions })
  const messagesFormat = createMessagesFormat({ kernel, completions, models, silenceMs: timings.streamSilenceMs })
  const plugins = await createPlugins({
    kernel,
    accounts,
    organizations,
    realtime,
    chats,
    models,
    tools,
    completions,
  })
  const knowledge = createKnowledge({
    kernel,
    accounts,
    files,
    organizations,
    models,
    settings,
    completions,
    tools,
    crawlDelayMs: timings.crawlDelayMs,
  })
  const runs = createRuns({
    kernel,
    organizations,
    settings,
    bus: eventBus,
    completions,
    models,
    realtime,
    tools,
    definitions: createDefinitions(kernel),
    signatures: signing.signatures,
    runCode: plugins.runCode,
    auditDays: platformAdmin.auditDays,
    slowCallMs: timings.slowCallMs,
  })
  const workflows = createWorkflows({
    kernel,
    accounts,
    organizations,
    bus: eventBus,
    runs,
    tools,
    signatures: signing.signatures,
  })

  const monitoring = createMonitoring({
    kernel,
    completions,
    isServing: () => isServing,
    monotonicMs,
  })

  const demo = createDemo({ kernel, accounts, organizations, bus: eventBus })

  /** Lowest floor first. They start in this order and stop in reverse, so that nobody outlives what they use. */
  const modules: Module[] = [
    settings,
    accounts,
    organizations,
    realtime,
    files,
    factors,
    platformAdmin,
    identityProviders,
    sso,
    ldap,
    scim,
    oauth,
    usage,
    models,
    tools,
    chats,
    webhooks,
    completions,
    eventBus,
    audio,
    toolServers,
    pdfWork,
    signing,
    upstream,
    messagesFormat,
    memory,
    images,
    knowledge,
    plugins,
    runs,
    workflows,
    monitoring,
    demo,
  ]

  const routes = modules.flatMap((module) => module.routes)
  const server = await createHttpServer({
    config,
    log,
    ids,
    limits,
    quotas: kernel.quotas,
    routes,
    blobs,
    accessKinds: modules.flatMap((module) => module.accessKinds ?? []),
    authenticate: accounts.authenticateLacking,
    clock: kernel.clock,
    metrics: kernel.metrics,
    traces: kernel.traces,
    webDir: folder('../../web/dist'),
    externalUrl: config.SVC_URL,
    drain: kernel.drain,
    checksReplies: given.checksReplies,
    readerPatienceMs: options.readerPatienceMs,
    ...(options.patience && { patience: options.patience }),
  })
  for (const module of modules) module.attach?.(server.server)
  const [address] = await Promise.all([
    server.listen({ port: config.PORT, host: config.HOST }),
    start(modules.flatMap((module) => module.jobs ?? [])),
  ])
  for (const module of modules) module.start?.(stopping.signal)

  return {
    address,
    routes,
    db,
    ports: { completions, tools, eventBus, runs, workflows, signing, webhooks },
    demo,
    isSetUp: () => platformAdmin.isSetUp(db),
    stop: async ({ isReplaced } = { isReplaced: false }) => {
      if (isReplaced) await retireServer(server.server)
      isServing = false
      // Time for a balancer to see it, while requests are still answered.
      if (!isReplaced) await sleep(config.SVC_DRAIN_DELAY * 1000)
      beginStop()
      stopping.abort()
      await server.close()
      const stops = modules.toReversed().map((module) => () => module.stop?.())
      await stop(() => stopEach(log, stops))
    },
  }
}
