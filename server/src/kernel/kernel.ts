/** The kernel as modules use it. Built once in app.ts. */
import type { Server } from 'node:http'
import type { Audit } from './audit/audit.ts'
import type { Blobs } from './blobs/index.ts'
import type { Children } from './child/index.ts'
import type { Clock } from './clock.ts'
import type { Compute } from './compute/index.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import type { Sealer } from './crypto/sealer.ts'
import type { Checks } from './db/checks.ts'
import type { Db } from './db/database.ts'
import type { Search } from './db/searches.ts'
import type { Signals } from './db/signals.ts'
import type { Drain } from './drain.ts'
import type { Expressions } from './expressions/expressions.ts'
import type { Failpoints } from './failpoints.ts'
import type { HeldBack } from './held-back/held-back.ts'
import type { AccessKind } from './http/access.ts'
import type { Route } from './http/route.ts'
import type { Ids } from './ids.ts'
import type { JobDefinition, Jobs } from './jobs/jobs.ts'
import type { Limits } from './limits/limits.ts'
import type { Log } from './log.ts'
import type { Mail } from './mail/mail.ts'
import type { Metrics } from './metrics/index.ts'
import type { Nodes } from './nodes/nodes.ts'
import type { Outbound } from './outbound/index.ts'
import type { Machine } from './process/machine.ts'
import type { Quotas } from './quotas/index.ts'
import type { Tasks } from './tasks.ts'
import type { Traces } from './traces/traces.ts'

/** `Own` is what a module's `config.ts` declares. */
export interface Kernel<Own = unknown> {
  config: Config & Own
  secrets: Secrets
  /** The public URL, without a trailing slash. */
  externalUrl: string
  db: Db
  /** The way to the database for what looks through much. */
  search: Search
  clock: Clock
  ids: Ids
  log: Log
  signals: Signals
  /** Those that work on events and runs, this one among them. */
  nodes: Nodes
  /** Questions that every node asks the database each second, in one statement. */
  checks: Checks
  /** Work that ended the server several times and waits for a platform admin. */
  heldBack: HeldBack
  jobs: Jobs
  mail: Mail
  limits: Limits
  /** What one tenant may take of what all share. */
  quotas: Quotas
  audit: Audit
  sealer: Sealer
  tasks: Tasks
  outbound: Outbound
  blobs: Blobs
  /** Evaluates tenants' expressions, off the server's thread. */
  expressions: Expressions
  /** Computes on foreign data, off the server's thread and under a deadline. */
  compute: Compute
  /** Runs what must not run in the server: foreign files, plugins. */
  children: Children
  /** The other servers of this machine. */
  machine: Machine
  /** Modules register their counters here. */
  metrics: Metrics
  /** Where work begins that is a trace of its own. */
  traces: Traces
  /** Places where tests make the process fail; none in production. */
  failpoints: Failpoints
  /** The cost of a password hash; 12 everywhere but in tests. */
  passwordCost: number
  /** The time that a stop still waits for what is under way. */
  drain: Drain
}

/** A module's contribution to the app. */
export interface Module {
  routes: readonly Route[]
  /** Kinds of access that it adds, with their credentials. */
  accessKinds?: readonly AccessKind[]
  jobs?: readonly JobDefinition[]
  /** Attaches something other than routes to the server, before it listens: sockets. */
  attach?(server: Server): void
  /** Runs until the signal aborts. */
  start?(signal: AbortSignal): void
  stop?(): Promise<void>
}
