/**
 * The tables, as Kysely sees them. Each module adds its own by declaration merging:
 *
 *     declare module '#kernel/db/tables.ts' {
 *       interface Tables { chats: ChatsTable }
 *     }
 *
 * so that a table's type lives with its one owner.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Tables {}
