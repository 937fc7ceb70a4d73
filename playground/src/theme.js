/* theme.js: light or dark: as the system says, until the switch is used. */
export function createTheme(changed) {
    const system = matchMedia('(prefers-color-scheme: dark)');
    let chosen = null;
    const isDark = () => chosen ?? system.matches;
    const apply = () => {
        document.documentElement.classList.toggle('dark', isDark());
        changed(isDark());
    };
    system.addEventListener('change', apply);
    document.documentElement.classList.toggle('dark', isDark());
    return {
        isDark,
        toggle() {
            chosen = !isDark();
            apply();
        },
    };
}
