/** All commands, in the order in which help lists them. */
import { chat } from './chat.ts'
import type { Command } from './command.ts'
import { documentStatus, downloadDocument, sendPdf } from './documents.ts'
import { publishEvent, tailEvents } from './events.ts'
import { syncKnowledge } from './knowledge.ts'
import { beginRun, showRuns, watchRun } from './runs.ts'
import { login, logout, whoami } from './sign-in.ts'
import { diff, publish, pull, push } from './workflows/commands.ts'

export const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  chat,
  publishEvent,
  tailEvents,
  showRuns,
  beginRun,
  watchRun,
  sendPdf,
  documentStatus,
  downloadDocument,
  syncKnowledge,
  pull,
  diff,
  push,
  publish,
]
