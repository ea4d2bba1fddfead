/** Several servers on one machine under a supervisor. See README.md. */
export { joinMachine } from './join.ts'
export { type Folders, openFolders } from './left-overs.ts'
export type { Ready } from './messages.ts'
export { ServerEnded } from './server-process.ts'
export { createSupervisor } from './supervisor.ts'
