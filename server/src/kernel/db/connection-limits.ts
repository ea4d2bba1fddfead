/**
 * The time limits of each kind of connection. Without these a network that drops packets silently leaves callers
 * waiting for ever, and a frozen process keeps its locks.
 */
import type pg from 'pg'

/** Finds a peer that is gone while nothing is under way: after ten idle seconds, ten questions a second apart. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

export const connectionLimits = {
  /** Requests and jobs. PostgreSQL ends a longer statement, and a transaction that says nothing for so long. */
  work: {
    ...keepAlive,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
  },
  /** Waits for notifications; what it asks in between is a heartbeat, with a time limit of its own. */
  listen: { ...keepAlive, connectionTimeoutMillis: 10_000 },
  /** Asks whether the others are still alive; who asks gives up by itself. */
  probe: { connectionTimeoutMillis: 3_000 },
} as const satisfies Record<string, pg.ClientConfig>

/** Poolers refuse limits that come with the connection, so there they are set in its session. */
const { statement_timeout, idle_in_transaction_session_timeout } = connectionLimits.work
export const sessionLimits = `set statement_timeout = ${statement_timeout}; set idle_in_transaction_session_timeout = ${idle_in_transaction_session_timeout}`

/** A migration may take as long as it needs: building an index on a large table does. */
export const migrationLimits = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0'
