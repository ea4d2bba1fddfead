import type { Kernel } from '#kernel/kernel.ts'
import type { RunCode } from '#kernel/run-code.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { EventBus, EventBusConfig } from '#modules/event-bus/index.ts'
import type { Models, ModelsConfig, PrivateModels } from '#modules/models/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import type { RunsConfig } from '../config.ts'
import type { RunRow } from '../queries/claims.ts'
import type { HoldRun } from './create-runs.ts'
import type { Definitions } from './definitions.ts'
import type { Graphs } from './graphs.ts'
import type { RunHooks } from './hooks.ts'
import type { RunNotifier } from './run-notifier.ts'
import type { Signatures } from './signatures.ts'

/** Other modules, as far as runs use them. */
export interface RunsNeeds {
  kernel: Kernel<ModelsConfig & EventBusConfig & RunsConfig>
  organizations: Pick<Organizations, 'requireWritable'>
  bus: Pick<
    EventBus,
    | 'publish'
    | 'wake'
    | 'listSinceUnscoped'
    | 'findEvent'
    | 'listSubscriptionsUnscoped'
    | 'registerRunStarter'
    | 'registerListener'
  >
  completions: Pick<Completions, 'complete'>
  models: Pick<Models, 'openPrivate' | 'resolve' | 'hasUnreadLists'>
  realtime: Pick<Realtime, 'topics'>
  tools: Pick<Tools, 'resolve'>
  settings: Pick<Settings, 'register'>
  /** The workflows that are run, with their catalogs and credentials. */
  definitions: Definitions
  /** Sends documents for signature. */
  signatures: Signatures
  /** Runs JavaScript of `code` nodes in a limited child. */
  runCode: RunCode
  /** Calls that last longer than this hold no slot; tests choose it. */
  slowCallMs?: number | undefined
  /** Days for which the audit log is kept; 0 is forever. */
  auditDays(): number
}

export interface RunsContext extends RunsNeeds {
  /** The name under which this node holds runs. */
  nodeId: string
  graphs: Graphs
  notifier: RunNotifier
  hooks: RunHooks
  /** Claims runs that are due now. */
  wake(): void
  /** Keeps a slot for a run that is about to be created; undefined where its scope has none, and any node may claim it. */
  hold: HoldRun
  /** The run was not created after all. */
  letGo(runId: string): void
  /** Ends the active children of runs that were ended, now instead of at the next check. After the commit. */
  endFamilies(): void
  /** A new run is committed: works on it at once if this node holds it, or else has it claimed. */
  begin(run: RunRow): void
  /** The models of catalogs that are in use, by the catalog's id. */
  catalogs: Map<string, { updatedAt: number; models: PrivateModels }>
}
