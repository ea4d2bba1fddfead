/** Says when the trial is about to end or has ended. Before its last week it keeps quiet. */
import type { Organization } from '@chancery/contract/organizations.ts'
import { Hourglass, Lock } from 'lucide-react'
import { trialOf } from './trial.ts'

const quietDays = 7

export function TrialBanner({ plan }: Pick<Organization, 'plan'>) {
  const trial = trialOf(plan, new Date())
  if (trial.state === 'none' || (trial.state === 'running' && trial.daysLeft > quietDays)) return null
  const isOver = trial.state === 'ended'
  const Icon = isOver ? Lock : Hourglass
  return (
    <section
      aria-label="Trial"
      className="flex items-start gap-3 rounded-panel border border-warn/30 bg-warn-wash px-5 py-3.5"
    >
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-warn" />
      <div>
        <p className="font-medium">
          {isOver
            ? 'The trial has ended: this organization is read-only'
            : `The trial ends in ${sayDays(trial.daysLeft)}`}
        </p>
        <p className="text-soft text-sm">
          {isOver
            ? 'Everything is still here and can be read; nothing can be added or changed. Ask whoever runs this office for a plan.'
            : 'Afterwards everything can still be read, but nothing changed. Ask whoever runs this office for a plan.'}
        </p>
      </div>
    </section>
  )
}

const sayDays = (days: number) => (days === 1 ? 'a day' : `${days} days`)
