"""Deal references: codes, numbers, paths and standard input, and the deal and the rules each stands for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import RULE_SETS

from golf_cli.deals.board_text import own_text, pysol_text
from golf_cli.deals.codes import LAST_NUMBER, Code, code_text, letter_of, looks_like_code, parse_code
from golf_cli.deals.numberings import GO1, MS, PYSOL
from golf_cli.deals.reference import resolve
from golf_cli.deals.registry import documented_deal
from golf_cli.errors import BoardError, DealError, NumberError
from golf_cli.errors import ReferenceError as NoSuchReference
from golf_cli.rules import PRESETS, Layout, RuleSet

EASY, CLASSIC, HARD = (PRESETS[name] for name in ("easy", "classic", "hard"))


class TestCodes:
    @pytest.mark.parametrize(
        ("letters", "number"),
        [
            ("AAAAAAA", 0),
            ("AAAAAAB", 1),
            ("AAAAAAZ", 25),
            ("AAAAAA2", 26),
            ("AAAAAA7", 31),
            ("AAAAABA", 32),
            ("BAAAAAA", 2**30),
            ("7777777", 2**35 - 1),
        ],
    )
    def test_seven_letters_are_a_number_most_significant_first(self, letters: str, number: int) -> None:
        assert parse_code(letters) == Code(number, None)
        assert code_text(number) == letters

    @given(st.integers(0, LAST_NUMBER), st.sampled_from(["E", "C", "N", None]))
    def test_every_number_is_read_back_from_its_code_in_any_case(self, number: int, letter: str | None) -> None:
        text = code_text(number, letter)
        for written in (text, text.lower(), f"\t{text.title()} \n"):
            assert looks_like_code(written)
            assert parse_code(written) == Code(number, letter)
            assert str(parse_code(written)) == text

    @given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", min_size=7, max_size=7))
    def test_every_seven_letters_are_a_code(self, letters: str) -> None:
        assert code_text(parse_code(letters).number) == letters

    @pytest.mark.parametrize(
        ("code", "told"),
        [
            ("GO1-E-AAAAAA1", "character 13: '1' is not allowed; the 7 letters of a deal are A-Z and 2-7"),
            ("GO1-E-0AAAAAA", "character 7: '0'"),
            ("GO1-E-AAAAAA", "ends in 6 letters: a deal has 7, from A-Z and 2-7"),
            ("GO1-E-AAAAAAAA", "ends in 8 letters"),
            ("GO1-E-", "ends in 0 letters"),
            ("GO1-E-A", "ends in 1 letter:"),
            ("GO1-X-AAAAAAB", "character 5: 'X' is no rules letter; E is easy, C is classic"),
            ("GO1--AAAAAAB", "character 5: '' is no rules letter"),
            ("GO2-E-AAAAAAB", "of version 'GO2': only deal codes of version GO1 are known"),
            ("GO1-AAAAAAB", "has 2 parts"),
            ("GO1-E-AAA-AAAB", "has 4 parts"),
            ("GO1-E-AAAAAAſ", "character 13: 'ſ'"),
            ("AAAAAA1", "character 7: '1'"),
        ],
    )
    def test_a_wrong_code_is_told_where_it_is_wrong(self, code: str, told: str) -> None:
        with pytest.raises(NoSuchReference) as refusal:
            parse_code(code)
        assert told in str(refusal.value)
        assert f"'{code}'" in str(refusal.value)

    @pytest.mark.parametrize("number", [-1, 2**35])
    def test_a_number_beyond_the_codes_has_none(self, number: int) -> None:
        with pytest.raises(NumberError, match=f"{number} has no deal code"):
            code_text(number)

    def test_only_easy_and_classic_have_a_letter(self) -> None:
        assert {name: letter_of(rules) for name, rules in PRESETS.items()} == {
            "easy": "E",
            "classic": "C",
            "hard": None,
            "strict": None,
        }
        assert letter_of(RuleSet.parse("easy,jokers=1")) is None


class TestCodesAsReferences:
    def test_the_middle_letter_sets_the_rules_and_nothing_else(self) -> None:
        easy, classic, old = (resolve(f"GO1-{letter}-AAAAAAB") for letter in "ECN")
        assert easy.deal == classic.deal == old.deal == documented_deal(1)
        assert (easy.rules, classic.rules, old.rules) == (EASY, CLASSIC, EASY)
        assert [dealt.overruled_letter for dealt in (easy, classic, old)] == [None] * 3

    @pytest.mark.parametrize(
        ("written", "printed"),
        [
            ("GO1-E-AAAAAAB", "GO1-E-AAAAAAB"),
            (" go1-c-aaaaaab ", "GO1-C-AAAAAAB"),
            ("GO1-N-AAAAAAB", "GO1-E-AAAAAAB"),
            ("aaaaaab", "GO1-C-AAAAAAB"),
            ("go1:1", "GO1-C-AAAAAAB"),
            ("GO1:34_359_738_367", "GO1-C-7777777"),
        ],
    )
    def test_a_code_is_printed_in_one_form(self, written: str, printed: str) -> None:
        assert resolve(written).reference == printed

    def test_rules_that_are_given_overrule_the_letter_and_that_is_told(self) -> None:
        dealt = resolve("GO1-E-AAAAAAB", HARD)
        assert (dealt.rules, dealt.overruled_letter, dealt.reference) == (HARD, "E", "AAAAAAB")
        assert resolve("GO1-E-AAAAAAB", CLASSIC).reference == "GO1-C-AAAAAAB"
        assert resolve("GO1-N-AAAAAAB", EASY).overruled_letter is None
        assert resolve("AAAAAAB", HARD).overruled_letter is None

    @given(st.integers(0, LAST_NUMBER), RULE_SETS)
    def test_a_printed_reference_stands_for_the_same_deal_and_rules(self, number: int, rules: RuleSet) -> None:
        dealt = resolve(code_text(number), rules)
        again = resolve(dealt.reference, None if letter_of(rules) else rules)
        assert again == dealt
        assert dealt.deal.layout_of() == rules.layout

    def test_it_is_told_which_cards_are_the_apps(self) -> None:
        known, other = resolve("AAAAAAB"), resolve("AAAAAAC")
        assert (known.documented, known.own_shuffle) == (True, False)
        assert (other.documented, other.own_shuffle) == (False, True)
        with_a_joker = resolve("AAAAAAB", RuleSet.parse("classic,jokers=1"))
        assert (with_a_joker.documented, with_a_joker.own_shuffle) == (False, True)


class TestNumbersAsReferences:
    def test_a_prefix_names_the_numbering(self) -> None:
        dealt = resolve(" PySol:1e5 ")
        assert (dealt.reference, dealt.numbering, dealt.number) == ("pysol:100000", PYSOL, 100000)
        assert dealt.deal == PYSOL.deal(100000)
        assert resolve("ms:100000").deal == MS.deal(100000)
        assert resolve("go1:100000").deal == GO1.deal(100000)

    def test_its_rules_are_classic_unless_others_are_given(self) -> None:
        assert resolve("pysol:24").rules == CLASSIC
        assert resolve("pysol:24", HARD).rules == HARD

    def test_its_cards_are_never_called_the_projects_own(self) -> None:
        dealt = resolve("pysol:24")
        assert (dealt.documented, dealt.own_shuffle) == (False, False)

    @pytest.mark.parametrize(
        "text", ["pysol:0", "pysol:-1", "pysol:1.5", "pysol:", "ms:8589934592", "go1:1e12", "ms:x"]
    )
    def test_a_number_that_is_not_dealt_is_refused(self, text: str) -> None:
        with pytest.raises(NumberError):
            resolve(text)

    def test_jokers_are_not_dealt_by_pysol(self) -> None:
        with pytest.raises(DealError, match="pysol numbers deal 52 cards"):
            resolve("pysol:24", RuleSet.parse("classic,jokers=1"))


class TestBoardsAsReferences:
    @pytest.fixture
    def board(self, tmp_path: Path) -> Path:
        path = tmp_path / "board.txt"
        path.write_text(pysol_text(PYSOL.deal(24)), encoding="utf-8")
        return path

    def test_a_path_is_read(self, board: Path) -> None:
        dealt = resolve(str(board))
        assert dealt.deal == PYSOL.deal(24)
        assert (dealt.reference, dealt.rules, dealt.numbering, dealt.number) == (str(board), CLASSIC, None, None)
        assert (dealt.documented, dealt.own_shuffle) == (False, False)
        assert resolve(str(board), HARD).rules == HARD

    def test_a_dash_is_standard_input(self) -> None:
        dealt = resolve("-", read_stdin=lambda: own_text(GO1.deal(1)).encode())
        assert (dealt.deal, dealt.reference) == (GO1.deal(1), "-")

    def test_a_mistake_names_the_file_or_standard_input(self, board: Path) -> None:
        with pytest.raises(BoardError, match="standard input: line 1, column 1: "):
            resolve("-", read_stdin=lambda: b"junk:")
        board.write_text("junk:", encoding="utf-8")
        with pytest.raises(BoardError) as refusal:
            resolve(str(board))
        assert refusal.value.source == str(board)

    def test_a_file_named_like_a_code_is_read_by_a_path_with_a_slash(
        self, board: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        board.rename(board.parent / "MYBOARD")
        monkeypatch.chdir(board.parent)
        assert resolve("./MYBOARD").deal == PYSOL.deal(24)
        assert resolve("MYBOARD").numbering is GO1

    @pytest.mark.parametrize(
        "layout", [Layout(jokers=2), Layout(open_foundation=True), Layout(jokers=1, open_foundation=True)]
    )
    def test_a_board_shows_its_jokers_and_its_foundation(self, tmp_path: Path, layout: Layout) -> None:
        path = tmp_path / "board.txt"
        path.write_text(own_text(GO1.deal(5, layout)), encoding="utf-8")
        for rules in (None, EASY):
            dealt = resolve(str(path), rules)
            assert dealt.rules.layout == layout
            assert dealt.rules.on_king == (rules or CLASSIC).on_king

    @pytest.mark.parametrize("rules", ["classic,jokers=1", "classic,jokers=2", "classic,foundation=open"])
    def test_rules_that_ask_for_what_the_board_has_not_are_refused(self, board: Path, rules: str) -> None:
        with pytest.raises(DealError, match=r"the rules ask for .*, and the board has"):
            resolve(str(board), RuleSet.parse(rules))


class TestFilesThatAreNoBoards:
    def test_a_directory(self, tmp_path: Path) -> None:
        with pytest.raises(NoSuchReference, match="is a directory: give the path of one board"):
            resolve(str(tmp_path))

    def test_a_file_that_cannot_be_opened(self, tmp_path: Path) -> None:
        with pytest.raises(NoSuchReference, match=r"cannot be read: \w+"):
            resolve(str(tmp_path / ("x" * 5000)))

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (b"\x7fELF\0\0", "this is binary data"),
            (b"# caf\xc3\xa9\nfoundation: \xe9", "line 2: this is not UTF-8"),
            (b"", "there is nothing here"),
            (b"# " + b"x" * (1 << 20), "more than 1048576 bytes"),
        ],
        ids=["binary", "latin-1", "empty", "huge"],
    )
    def test_a_file_that_holds_something_else(self, tmp_path: Path, content: bytes, told: str) -> None:
        path = tmp_path / "board.txt"
        path.write_bytes(content)
        with pytest.raises(BoardError) as refusal:
            resolve(str(path))
        assert str(refusal.value).startswith(f"{path}: ")
        assert told in str(refusal.value)

    @pytest.mark.parametrize(
        "text", ["", "  ", "nothing.txt", "no/such/file", "GO1", "a\0b", "foo:3", "AAAAAA1", "GO1/x-y"]
    )
    def test_a_text_that_refers_to_nothing_is_told_what_does(self, text: str) -> None:
        with pytest.raises(NoSuchReference) as refusal:
            resolve(text)
        for form in ("GO1-E-AAAAAAB", "AAAAAAB", "pysol:24", "ms:24", "path", "standard input"):
            assert form in str(refusal.value)

    def test_a_prefix_that_names_no_numbering_is_told(self) -> None:
        with pytest.raises(NoSuchReference, match="no numbering is called 'freecell'"):
            resolve("freecell:3")

    def test_a_text_that_is_nearly_seven_letters_is_told_where_it_is_not(self) -> None:
        with pytest.raises(NoSuchReference, match="character 7: '1' is not allowed"):
            resolve("AAAAAA1")
