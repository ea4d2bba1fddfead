/** The actions of one row, at the end of it: a menu, or a few buttons. */
import { Ellipsis } from 'lucide-react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { actionsFor, labelFor, type RowActions } from './row-action.ts'
import { type RowRunner, useRowActions } from './use-row-actions.tsx'

interface CellProps<Row> {
  row: Row
  actions: RowActions<Row>
  runner: RowRunner<Row>
}

export function RowActionsCell<Row>(props: CellProps<Row>) {
  const { noteFor, look = 'menu' } = props.actions
  return (
    <span className="relative flex items-center justify-end gap-2 text-left">
      {noteFor?.(props.row)}
      {look === 'menu' ? <RowMenu {...props} /> : <RowButtons {...props} />}
    </span>
  )
}

function RowMenu<Row>({ row, actions, runner }: CellProps<Row>) {
  const { labelOf = actions.nameOf } = actions
  return (
    <Menu trigger={<IconButton label={`Actions for ${labelOf(row)}`} icon={Ellipsis} />}>
      {actionsFor(actions, row).flatMap((action, index) => [
        ...(action.tone === 'bad' && index > 0 ? [<MenuLine key={`${action.label}-line`} />] : []),
        <MenuItem
          key={action.label}
          icon={action.icon}
          {...(action.tone && { tone: action.tone })}
          onSelect={() => runner.start(action, row)}
        >
          {labelFor(action, row)}
        </MenuItem>,
      ])}
    </Menu>
  )
}

function RowButtons<Row>({ row, actions, runner }: CellProps<Row>) {
  const { labelOf = actions.nameOf } = actions
  return actionsFor(actions, row).map((action) => (
    <Button
      key={action.label}
      size="small"
      look="quiet"
      aria-label={`${labelFor(action, row)} ${labelOf(row)}`}
      isPending={runner.isRunning(action, row)}
      onClick={() => runner.start(action, row)}
    >
      {labelFor(action, row)}
    </Button>
  ))
}

/** The actions of a row outside of its list, such as on its own page. */
export function RowActionsMenu<Row>({ row, actions }: Omit<CellProps<Row>, 'runner'>) {
  const runner = useRowActions(actions)
  return (
    <>
      <RowActionsCell row={row} actions={actions} runner={runner} />
      {runner.question}
    </>
  )
}
