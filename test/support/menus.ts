/** An item of a menu in the manifest. */
export interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

/** Whether a menu of the servers view has the item on a row of that `contextValue`. */
export function isShownOn(row: string, { when = '' }: MenuItem, isOneOfSeveral = false): boolean {
  const holds = (term: string) => {
    const [, operator = '', operand = ''] = /^viewItem (==|!=|=~) (.+)$/.exec(term) ?? [];
    switch (operator) {
      case '==':
        return row === operand;
      case '!=':
        return row !== operand;
      case '=~':
        return new RegExp(operand.slice(1, -1)).test(row);
      default:
        return (
          /^view == mcpRoots\.(?:servers|activity)$/.test(term) ||
          term === (isOneOfSeveral ? 'listMultiSelection' : '!listMultiSelection')
        );
    }
  };
  return when.split(' || ').some(all => all.split(' && ').every(holds));
}
