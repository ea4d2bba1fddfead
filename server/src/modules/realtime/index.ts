/** Realtime: events to the browsers of a user, and questions to one of them. The public interface of the module. */
import type { Kernel } from '#kernel/kernel.ts'
import type { ChannelUse } from '#kernel/process/machine.ts'
import { type Accounts, principalTopic } from '#modules/accounts/index.ts'
import { callBrowser } from './call-browser.ts'
import type { RealtimeConfig } from './config.ts'
import { createConnections } from './connections.ts'
import type { RealtimeContext } from './context.ts'
import { deliver, encodeEvent } from './deliver.ts'
import { createFanOut, type FanOut, type FanOutNeeds } from './fan-out.ts'
import type { Realtime } from './interface.ts'
import { socketsQuota } from './quotas.ts'
import { openChannels } from './redis-channels.ts'
import { createRevalidation } from './revalidate-connections.ts'
import { createSessionsElsewhere } from './sessions-elsewhere.ts'
import { createTopics } from './topics.ts'
import { createUpgradeHandler } from './upgrade-handler.ts'

export type { RealtimeConfig } from './config.ts'

export type { Question, Realtime } from './interface.ts'

export interface RealtimeNeeds {
  kernel: Kernel<RealtimeConfig>
  accounts: Pick<Accounts, 'authenticate' | 'findEnded'>
  /** The default keeps the promise of five seconds even if every signal is lost. */
  revalidateEveryMs?: number | undefined
}

export const createRealtime = ({ kernel, accounts, revalidateEveryMs = 2000 }: RealtimeNeeds): Realtime => {
  const { config, ids, log, machine, quotas, signals, tasks } = kernel
  const { authenticate } = accounts
  const topics = createTopics()
  const context: RealtimeContext = {
    authenticate,
    log,
    quotas,
    tasks,
    topics,
    keyHeader: config.CUSTOM_API_KEY_HEADER.toLowerCase(),
    externalUrl: config.SVC_URL,
  }
  quotas.declare(socketsQuota)
  let fanOut: FanOut | undefined
  const connections = createConnections({
    onFirst: (userId) => fanOut?.join(userId),
    onLast: (userId) => fanOut?.leave(userId),
  })
  kernel.metrics.gauge({
    name: 'chancery_sockets_open',
    help: 'Browsers that are connected to this node.',
    read: () => connections.all().length,
  })
  const deliverHere = (userId: string, packet: string): void => {
    for (const connection of connections.of(userId) ?? []) deliver(connection, packet)
  }
  const elsewhere = machine.siblings && createSessionsElsewhere(machine.siblings.folder)
  const upgrades = createUpgradeHandler({
    load: async () => {
      const { createSocketServer } = await import('./socket-server.ts')
      const sockets = createSocketServer(context, connections)
      if (elsewhere) sockets.nameSessions(elsewhere.nextId)
      elsewhere?.serve(sockets)
      return sockets
    },
    elsewhere,
    run: (work) => tasks.run('realtime.upgrade', work),
  })
  const url = config.REDIS_URL
  const open =
    url === undefined ? machine.siblings?.openChannels : (use: ChannelUse) => openChannels({ url, log, ...use })
  const reachOtherNodes = async (open: FanOutNeeds['open'], signal: AbortSignal): Promise<void> => {
    const local = {
      users: connections.users,
      serves: (userId: string) => connections.of(userId) !== undefined,
      deliver: deliverHere,
      isHere: (userId: string, sessionId: string) => connections.find(userId, sessionId) !== undefined,
      ask: (question: Parameters<FanOut['ask']>[0]) => callBrowser(connections, question),
    }
    const made = await createFanOut({ open, ids, log, local })
    if (signal.aborted) made.close()
    else fanOut = made
  }

  const revalidation = createRevalidation({ connections, findEnded: accounts.findEnded, tasks })
  signals.on(principalTopic, revalidation.request)

  return {
    routes: [],
    topics,
    attach: upgrades.attach,
    start: (signal) => {
      if (open) tasks.run('realtime.fan-out', () => reachOtherNodes(open, signal))
      tasks.every('realtime.revalidate', { everyMs: revalidateEveryMs, signal }, revalidation.all)
      signal.addEventListener('abort', upgrades.close, { once: true })
    },
    stop: async () => {
      fanOut?.close()
      elsewhere?.close()
    },
    isListening: (userId) => connections.of(userId) !== undefined || fanOut?.mayListen(userId) === true,
    emit: (userId, event) => {
      const isHere = connections.of(userId) !== undefined
      const isElsewhere = fanOut?.mayListen(userId) === true
      if (!isHere && !isElsewhere) return
      try {
        const packet = encodeEvent(event)
        if (isHere) deliverHere(userId, packet)
        if (isElsewhere) fanOut?.publish(userId, packet)
      } catch (problem) {
        log.error({ err: problem }, 'An event could not be sent.')
      }
    },
    call: (given) => {
      const question = { timeoutMs: config.WEBSOCKET_EVENT_CALLER_TIMEOUT * 1000, ...given }
      const isHere = connections.find(question.userId, question.sessionId) !== undefined
      return fanOut && !isHere ? fanOut.ask(question) : callBrowser(connections, question)
    },
  }
}
