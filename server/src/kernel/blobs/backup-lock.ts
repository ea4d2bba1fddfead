/**
 * While a backup runs, no file is deleted that its snapshot still names: the sweep waits. The backup takes the lock before
 * its snapshot. A file that is due later was released later, and the sweep sees the lock; one that was taken before had
 * lost its owner before, so the snapshot doesn't name it.
 */

/** Of PostgreSQL's advisory locks; shared, so that several backups may run. */
export const backupLock = 4_242_002

/** True in SQL while a backup runs. */
export const isBackupRunning = `exists (select from pg_locks where locktype = 'advisory' and classid = 0
  and objid = ${backupLock} and objsubid = 1 and database = (select oid from pg_database where datname = current_database()))`
