/** Every road of the suite, in the order in which they are attacked. Row 18 is a browser's: see web's Markdown tests. */
import { breaker } from './roads/breaker.ts'
import { budgets, lyingUsage } from './roads/budgets.ts'
import { logFloods, nativeLoops } from './roads/code.ts'
import { diffs } from './roads/diffs.ts'
import { files } from './roads/files.ts'
import { filters } from './roads/filters.ts'
import { loopGuard } from './roads/loop-guard.ts'
import { mails } from './roads/mails.ts'
import { pieces } from './roads/pieces.ts'
import type { Road } from './roads/road.ts'
import { runTrees } from './roads/run-trees.ts'
import { chatSearches, payloadSearches } from './roads/searches.ts'
import { slowCalls } from './roads/slow-calls.ts'
import { templates } from './roads/templates.ts'
import { toolServers } from './roads/tool-servers.ts'

export const roads: readonly Road[] = [
  templates,
  filters,
  diffs,
  toolServers,
  slowCalls,
  nativeLoops,
  loopGuard,
  budgets,
  lyingUsage,
  chatSearches,
  mails,
  pieces,
  logFloods,
  runTrees,
  payloadSearches,
  breaker,
  files,
]
