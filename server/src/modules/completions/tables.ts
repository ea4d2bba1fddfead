/** The table that this module owns. */

interface ReplyTasksTable {
  id: string
  chatId: string
  messageId: string
  userId: string
  /** The process that writes the reply. */
  nodeId: string
  beatAt: Date
  startedAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    replyTasks: ReplyTasksTable
  }
}
