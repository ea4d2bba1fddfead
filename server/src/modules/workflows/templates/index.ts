/** Workflows to start from. */
import type { WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import { callOnWebhook } from './call-on-webhook.ts'
import { fanOut } from './fan-out.ts'
import { nightlyReport } from './nightly-report.ts'
import { signedContract } from './signed-contract.ts'
import { summariseAndNotify } from './summarise-and-notify.ts'
import { triage } from './triage.ts'

export const templates: readonly WorkflowTemplate[] = [
  summariseAndNotify,
  triage,
  nightlyReport,
  callOnWebhook,
  fanOut,
  signedContract,
]
