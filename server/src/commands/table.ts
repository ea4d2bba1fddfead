/** All commands, in the order in which help lists them. */
import { backup } from './backup.ts'
import type { Command } from './command.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { exportOrganization } from './export-organization.ts'
import { importOrganization } from './import-organization.ts'
import { migrate } from './migrate.ts'
import { resetFactors } from './reset-factors.ts'
import { restore } from './restore.ts'
import { rotateKeys } from './rotate-keys.ts'
import { start } from './start.ts'
import { verifyBackup } from './verify-backup.ts'
import { verifyEvidence } from './verify-evidence.ts'

export const commands: readonly Command[] = [
  start,
  backup,
  verifyBackup,
  restore,
  exportOrganization,
  importOrganization,
  migrate,
  rotateKeys,
  resetFactors,
  doctor,
  verifyEvidence,
  demo,
]
