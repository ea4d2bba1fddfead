/**
 * Disconnects sockets whose credential ended, or whose user changed role or organization, since the handshake. All of
 * them are checked by one statement, which doesn't pass the cache of actors; it finds nothing as a rule.
 */
import type { Tasks } from '#kernel/tasks.ts'
import type { FindEnded, HeldCredential } from '#modules/accounts/index.ts'
import type { Connection, Connections } from './connections.ts'
import { disconnectClient } from './disconnect.ts'

export interface Revalidation {
  all(): Promise<void>
  /** A user changed, or anybody may have. What is asked for while a check runs is checked together after it. */
  request(userId: string | undefined): void
}

interface Needs {
  connections: Pick<Connections, 'all' | 'of'>
  findEnded: FindEnded
  tasks: Pick<Tasks, 'run'>
}

export const createRevalidation = ({ connections, findEnded, tasks }: Needs): Revalidation => {
  const users = new Set<string>()
  let isEverybodyDue = false
  let isWorking = false

  const check = async (concerned: readonly Connection[]): Promise<void> => {
    if (concerned.length === 0) return
    // Tabs of one browser share a token.
    const sharing = Map.groupBy(concerned, ({ credential }) => credential.token)
    const held: HeldCredential[] = []
    for (const [first] of sharing.values()) if (first) held.push(first.credential)
    for (const { token } of await findEnded(held))
      for (const { socket } of sharing.get(token) ?? []) disconnectClient(socket)
  }
  const takeDue = (): Connection[] => {
    const due = isEverybodyDue ? connections.all() : [...users].flatMap((id) => [...(connections.of(id) ?? [])])
    isEverybodyDue = false
    users.clear()
    return due
  }
  const work = async (): Promise<void> => {
    try {
      while (isEverybodyDue || users.size > 0) await check(takeDue())
    } finally {
      isWorking = false
    }
  }
  return {
    all: () => check(connections.all()),
    request: (userId) => {
      if (userId === undefined) isEverybodyDue = true
      else if (connections.of(userId)) users.add(userId)
      else return
      if (isWorking) return
      isWorking = true
      tasks.run('realtime.revalidate', work)
    },
  }
}
