/** Input and output prices per model. Collapsed until one is set, because most instances don't use them. */
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { draftOf, type PriceDraft, type PriceDrafts, priceProblems, withPrice } from '#lib/form/prices.ts'
import { cx } from '#ui/class-names.ts'
import { inputLook } from './inputs.tsx'

const columns = 'grid grid-cols-[minmax(0,1fr)_6.5rem_6.5rem] items-center gap-2'

interface PriceFieldsProps {
  /** The models that can have a price; `none` is shown if there are none. */
  models: readonly string[]
  none: string
  prices: PriceDrafts
  currency: string
  /** After the first attempt to save. */
  showsProblems: boolean
  onChange: (prices: PriceDrafts) => void
}

export function PriceFields({ models, none, prices, currency, showsProblems, onChange }: PriceFieldsProps) {
  // Only the initial value: the section must not close when someone empties its last field.
  const [isOpenAtFirst] = useState(prices.size > 0)
  return (
    <details open={isOpenAtFirst} className="group">
      <summary className="flex w-fit list-none items-center gap-1.5 rounded-control font-medium text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 text-faint transition-transform duration-150 group-open:rotate-90"
        />
        Prices<span className="font-normal text-faint">optional</span>
      </summary>
      <div className="mt-3 flex flex-col gap-2">
        <p className="text-faint text-sm">
          {models.length === 0
            ? none
            : `In ${currency} per million tokens. Without a price, the cost of a model is unknown.`}
        </p>
        {models.length > 0 && (
          <div className="max-h-64 overflow-y-auto p-0.5">
            <p aria-hidden className={cx(columns, 'mb-1 text-right text-faint text-xs')}>
              <span className="col-start-2">Input</span>
              <span>Output</span>
            </p>
            <ul aria-label="Prices" className="flex flex-col gap-2">
              {models.map((model) => (
                <PriceRow
                  key={model}
                  model={model}
                  draft={draftOf(prices, model)}
                  showsProblems={showsProblems}
                  onChange={(change) => onChange(withPrice(prices, model, change))}
                />
              ))}
            </ul>
          </div>
        )}
      </div>
    </details>
  )
}

interface PriceRowProps {
  model: string
  draft: PriceDraft
  showsProblems: boolean
  onChange: (change: Partial<PriceDraft>) => void
}

function PriceRow({ model, draft, showsProblems, onChange }: PriceRowProps) {
  const problems = showsProblems ? priceProblems(draft) : {}
  const [wrong] = Object.values(problems)
  return (
    <li className="flex flex-col gap-1">
      <div className={columns}>
        <span className="truncate font-mono text-sm" title={model}>
          {model}
        </span>
        {(['input', 'output'] as const).map((side) => (
          <input
            key={side}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            aria-label={`${side === 'input' ? 'Input' : 'Output'} price of ${model}`}
            aria-invalid={problems[side] === undefined ? undefined : true}
            value={draft[side]}
            onChange={(event) => onChange({ [side]: event.target.value })}
            className={cx(inputLook, 'figures h-8 text-right')}
          />
        ))}
      </div>
      {wrong !== undefined && <p className="text-right text-bad text-sm">{wrong}</p>}
    </li>
  )
}
