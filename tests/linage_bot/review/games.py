"""One short game of each kind, played by a weak engine that plays at random now and then."""

from linage_bot.settings.playing import PlaySettings

QUICK = PlaySettings(visits=150, seed=1)

RECORDS = {
    "linage": "(;FF[4]GM[1]KM[0.5]PB[Ann]PW[Ben]RE[W+7.5]DT[2026-11-20]EV[A <b>cup</b>]"
    "RU[linage:line=3;button=off;edition=current]SZ[5];B[cd];W[da];B[dd];W[ec];B[ed];W[ab];B[dc]"
    ";W[cc];B[be];W[bc];B[];W[])",
    "linage-two-color": "(;FF[4]GM[1]KM[0.5]PB[Ann]PW[Ben]RE[W+4.5]"
    "RU[linage-two-color:line=3;button=off;count_regions=off]SZ[4];B[bc];W[ac];B[dc];W[cc];B[ad]"
    ";W[aa];B[ab];W[bb];B[cb];W[db];B[];W[])",
    "linage-parity": "(;FF[4]GM[1]PB[Ann]PW[Ben]RE[W+]"
    "RU[linage-parity:condition=size;n=0;passing=on]SZ[4];B[ad];W[cb];B[ac];W[bd];B[cd];W[ab]"
    ";B[ca];W[dc];B[bc];W[bb];B[db];W[ba];B[];W[])",
    "leblin": "(;FF[4]GM[1]PB[Ann]PW[Ben]RE[W+R]RU[leblin]SZ[5];B[ac];W[db];B[dd];W[bb];B[cb]"
    ";W[cc];B[cd];W[ca];B[ad];W[bc];B[bd];W[da])",
    "gardar": "(;FF[4]GM[1]KM[0]PB[Ann]PW[Ben]RE[W+R]RU[gardar:side=3]SZ[5];B[eb];W[ea];B[ac]"
    ";W[dd];B[];W[bd];B[cb];W[cc];B[be];W[ca];B[];W[ec];B[ae];W[db])",
}
